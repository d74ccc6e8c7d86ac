package dev.shardkit.store.remote;

import dev.shardkit.store.FetchResult;
import dev.shardkit.store.PartialResponseReceiver;
import dev.shardkit.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the beginning of a body while the rest arrives, on threads of the transport that may block. One call runs
 * at a time; while it does, only the longest beginning waits. Thread-safe.
 */
final class EarlyBodyDelivery {
    /** The minimum number of new bytes for a call. */
    private static final long STEP = 256L << 10;

    private final Transport transport;
    private final PartialResponseReceiver progress;
    private long reported;
    private FetchResult.@Nullable Found latest;
    private boolean reporting;

    EarlyBodyDelivery(Transport transport, PartialResponseReceiver progress) {
        this.transport = transport;
        this.progress = progress;
    }

    /** Returns whether {@code bytes} bytes of the range are worth a call. */
    boolean isDue(long bytes) {
        return progress != PartialResponseReceiver.NONE && bytes - reported >= STEP;
    }

    /** Restarts with a response before which {@code bytes} bytes of the range were received. */
    void restart(long bytes) {
        reported = bytes;
    }

    /** Passes on a beginning. Must not block. */
    void received(FetchResult.Found partial) {
        reported = partial.bytes().size();
        synchronized (this) {
            latest = partial;
            if (reporting) {
                return;
            }
            reporting = true;
        }
        transport.execute(this::report);
    }

    private void report() {
        for (FetchResult.Found next = next(); next != null; next = next()) {
            progress.received(next);
        }
    }

    private synchronized FetchResult.@Nullable Found next() {
        FetchResult.Found next = latest;
        latest = null;
        reporting = next != null;
        return next;
    }
}
