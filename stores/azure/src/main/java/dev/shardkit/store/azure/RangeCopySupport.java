package dev.shardkit.store.azure;

import dev.shardkit.store.cloud.CancellableFutures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Learns whether the server copies ranges of blobs (Put Block From URL). The response to the first copy shows it. Other
 * copies wait for that response, so a server without the operation gets only one request. After five minutes the store
 * tries again, because permissions change and overload ends. Thread-safe.
 */
final class RangeCopySupport {
    /** The answer to a copy. */
    enum Answer {
        COPIED,
        /** The server has not copied this range. It may copy others. */
        REFUSED,
        /** The server copies no ranges, or may not read the blobs of this container, or fails to copy. */
        UNSUPPORTED
    }

    private enum State {
        UNKNOWN,
        SUPPORTED,
        UNSUPPORTED,
        /** The server has made a wrong copy, and gets no further requests. */
        WRONG
    }

    private static final long ASK_AGAIN = Duration.ofMinutes(5).toNanos();

    private final LongSupplier clock;
    private State state = State.UNKNOWN;
    /** The time at which the server last did not support a copy, in nanoseconds of the clock. */
    private long unsupportedAt;

    /** Completes, without a failure, when the first copy has ended; null if no first copy is running. */
    private @Nullable CompletableFuture<Boolean> firstRequest;

    RangeCopySupport() {
        this(System::nanoTime);
    }

    /** Creates an instance with {@code clock}, a clock in nanoseconds. */
    RangeCopySupport(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns whether a copy may succeed, as far as known. */
    synchronized boolean isPossible() {
        if (state == State.UNSUPPORTED && clock.getAsLong() - unsupportedAt >= ASK_AGAIN) {
            state = State.UNKNOWN;
        }
        return state == State.UNKNOWN || state == State.SUPPORTED;
    }

    /**
     * Records that the server has made a wrong copy. It then gets no further requests for copies, and the upload that
     * noticed the error starts again.
     */
    synchronized void isWrong() {
        state = State.WRONG;
    }

    /** Sends a copy request, unless the server does not support copies of ranges. Returns whether the copy was made. */
    CompletableFuture<Boolean> copy(Supplier<CompletableFuture<Answer>> request) {
        CompletableFuture<Boolean> created;
        CompletableFuture<Boolean> existing;
        synchronized (this) {
            if (!isPossible()) {
                return CompletableFuture.completedFuture(false);
            }
            existing = state == State.UNKNOWN ? firstRequest : null;
            created = state == State.UNKNOWN && firstRequest == null ? new CompletableFuture<>() : null;
            firstRequest = created == null ? firstRequest : created;
        }
        if (existing != null) { // a copy of the future: cancelling this request does not end the wait of others
            return CancellableFutures.compose(existing.copy(), answered -> copy(request));
        }
        return created == null ? send(request) : sendFirst(request, created);
    }

    /** Sends a copy request and learns from its answer. */
    private CompletableFuture<Boolean> send(Supplier<CompletableFuture<Answer>> request) {
        return CancellableFutures.map(request.get(), support -> {
            learn(support);
            return support == Answer.COPIED;
        });
    }

    /** Sends the first copy request. Completes {@code created} when it ends, so that waiting copies continue. */
    private CompletableFuture<Boolean> sendFirst(
            Supplier<CompletableFuture<Answer>> request, CompletableFuture<Boolean> created) {
        try {
            CompletableFuture<Boolean> sent = send(request);
            sent.whenComplete((copied, thrown) -> endFirst(created));
            return sent;
        } catch (RuntimeException | Error e) {
            endFirst(created);
            throw e;
        }
    }

    private void endFirst(CompletableFuture<Boolean> created) {
        synchronized (this) {
            firstRequest = null;
        }
        created.complete(true);
    }

    private synchronized void learn(Answer support) {
        if (support == Answer.UNSUPPORTED && state != State.WRONG) {
            state = State.UNSUPPORTED;
            unsupportedAt = clock.getAsLong();
        } else if (support == Answer.COPIED && state == State.UNKNOWN) {
            state = State.SUPPORTED;
        }
    }
}
