package dev.shardkit.store.remote;

import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ResponseProgress;
import dev.shardkit.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the beginning of a body while the rest arrives, on threads of the transport that may block. One call runs
 * at a time; while it does, only the longest beginning waits. Thread-safe.
 */
final class PartialBodies {
    /** How much more of a body is worth a call. */
    private static final long STEP = 256L << 10;

    private final Transport transport;
    private final ResponseProgress arrival;
    private long told;
    private FetchResult.@Nullable Found latest;
    private boolean telling;

    PartialBodies(Transport transport, ResponseProgress arrival) {
        this.transport = transport;
        this.arrival = arrival;
    }

    /** Returns whether {@code bytes} bytes of the range are worth a call. */
    boolean isDue(long bytes) {
        return arrival != ResponseProgress.NONE && bytes - told >= STEP;
    }

    /** Starts again with an answer that has {@code bytes} bytes of the range. */
    void restart(long bytes) {
        told = bytes;
    }

    /** Passes on a beginning. Must not block. */
    void received(FetchResult.Found beginning) {
        told = beginning.bytes().size();
        synchronized (this) {
            latest = beginning;
            if (telling) {
                return;
            }
            telling = true;
        }
        transport.execute(this::tell);
    }

    private void tell() {
        for (FetchResult.Found next = next(); next != null; next = next()) {
            arrival.received(next);
        }
    }

    private synchronized FetchResult.@Nullable Found next() {
        FetchResult.Found next = latest;
        latest = null;
        telling = next != null;
        return next;
    }
}
