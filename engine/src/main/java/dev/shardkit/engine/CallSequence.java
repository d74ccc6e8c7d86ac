package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of calls that follow one another. Stopping it stops the current call, and waiting helps that call. */
final class CallSequence<T> extends CallFuture<T> {
    private @Nullable CompletableFuture<?> current;
    private @Nullable Throwable reason;

    /** Sets the first call, unless a later one is under way. */
    void first(CompletableFuture<?> call) {
        synchronized (this) {
            if (current != null) {
                return;
            }
        }
        next(call);
    }

    /** Sets the call that is under way; stops it if this sequence was stopped. */
    void next(CompletableFuture<?> call) {
        Throwable stopped;
        synchronized (this) {
            current = call;
            stopped = reason;
            notifyAll();
        }
        if (stopped != null) {
            stop(call, stopped);
        }
    }

    @Override
    void stopWork(Throwable why) {
        CompletableFuture<?> call;
        synchronized (this) {
            reason = why;
            call = current;
        }
        if (call != null) {
            stop(call, why);
        }
    }

    @Override
    void help() {
        try {
            CompletableFuture<?> helped = null;
            for (CompletableFuture<?> call = after(helped); call != null; call = after(helped)) {
                if (call instanceof CallFuture<?> own) {
                    own.help();
                }
                helped = call;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the call after {@code last}, and waits for it; null after the end. */
    private synchronized @Nullable CompletableFuture<?> after(@Nullable CompletableFuture<?> last)
            throws InterruptedException {
        while (!hasEnded() && current == last) {
            wait();
        }
        return hasEnded() ? null : current;
    }
}
