package dev.shardkit.store.remote;

import dev.shardkit.store.FetchResult;
import dev.shardkit.store.PartialResponseReceiver;
import dev.shardkit.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Passes the beginning of a body to its reader while the rest arrives. Calls the reader on threads of the transport
 * that may block, one call at a time. During a call, only the longest new beginning is kept for the next call.
 * Thread-safe.
 */
final class EarlyBodyDelivery {
    /** The minimum number of new bytes for a call. */
    private static final long STEP = 256L << 10;

    private final Transport transport;
    private final PartialResponseReceiver progress;
    /** The number of bytes of the range that have been passed on. */
    private long reported;

    /** The beginning for the next call; null if there is none. */
    private FetchResult.@Nullable Found latest;

    /** Whether a call is running or submitted. */
    private boolean reporting;

    EarlyBodyDelivery(Transport transport, PartialResponseReceiver progress) {
        this.transport = transport;
        this.progress = progress;
    }

    /** Returns whether a beginning of {@code bytes} bytes is so much longer than the last one that a call pays. */
    boolean isDue(long bytes) {
        return progress != PartialResponseReceiver.NONE && bytes - reported >= STEP;
    }

    /** Restarts for the next response. Earlier attempts have received {@code bytes} bytes of the range. */
    void restart(long bytes) {
        reported = bytes;
    }

    /** Passes on a beginning. Does not block. */
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
