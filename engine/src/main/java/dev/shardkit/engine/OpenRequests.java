package dev.shardkit.engine;

import dev.shardkit.spi.plan.ByteRange;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one run that are in progress, and the bytes that they have requested and that are not yet decoded.
 * The run's monitor guards it.
 */
final class OpenRequests {
    private static final long MOST_BYTES = 128L << 20;

    private final AnswerReceiver run;
    private final Deque<FarRequest> open = new ArrayDeque<>();
    private int count;
    private long held;

    OpenRequests(AnswerReceiver run) {
        this.run = run;
    }

    /** Whether a further request may be sent, if at most {@code parallel} may be in progress. Under the monitor. */
    boolean admit(ByteRange range, int parallel) {
        return count < parallel && (held <= 0 || held + Decodings.size(range) <= MOST_BYTES);
    }

    /** Adds a request that is about to be sent. Under the monitor. */
    void add(FarRequest request) {
        open.add(request);
        count++;
        held += request.size();
    }

    /** Removes a request, of whose answer {@code left} bytes remain to be decoded. Under the monitor. */
    void ended(FarRequest request, long left) {
        open.remove(request);
        count--;
        held += left - request.size();
    }

    /** Accounts for bytes that are decoded. Under the monitor. */
    void decoded(long bytes) {
        held -= bytes;
    }

    /** Returns the number of requests in progress. Under the monitor. */
    int count() {
        return count;
    }

    /** Cancels all requests; if that fails, cancels the others first. Outside the monitor. */
    void cancel() {
        Throwable first = null;
        for (FarRequest next = poll(); next != null; next = poll()) {
            try {
                next.cancel();
            } catch (Throwable e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw Failures.rethrow(first);
        }
    }

    private @Nullable FarRequest poll() {
        synchronized (run) {
            return open.poll();
        }
    }
}
