package dev.shardkit.store.azure;

import dev.shardkit.store.cloud.CancellableFutures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the server copies ranges of blobs (Put Block From URL). The first copy shows it; copies that begin meanwhile
 * wait for its answer, so that a server that lacks the operation is asked once. The server is asked again some minutes
 * later: permissions change, and overload ends. Thread-safe.
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
        /** The server has made wrong copies, and is not asked again. */
        WRONG
    }

    private static final long ASK_AGAIN = Duration.ofMinutes(5).toNanos();

    private final LongSupplier clock;
    private State state = State.UNKNOWN;
    /** When the server last declined, in nanoseconds of the clock. */
    private long unsupportedAt;

    /** Ends, without a failure, when the server has answered the first copy or that copy has failed. */
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

    /** Remembers that the server has made a wrong copy, for good: an upload that finds this out begins again. */
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
        return created == null ? request(request) : askFirst(request, created);
    }

    private CompletableFuture<Boolean> request(Supplier<CompletableFuture<Answer>> request) {
        return CancellableFutures.map(request.get(), support -> {
            learn(support);
            return support == Answer.COPIED;
        });
    }

    private CompletableFuture<Boolean> askFirst(
            Supplier<CompletableFuture<Answer>> request, CompletableFuture<Boolean> created) {
        try {
            CompletableFuture<Boolean> requested = request(request);
            requested.whenComplete((copied, thrown) -> end(created));
            return requested;
        } catch (RuntimeException | Error e) {
            end(created);
            throw e;
        }
    }

    private void end(CompletableFuture<Boolean> created) {
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
