package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A future whose {@link #cancel} first stops the work. Dependents run in the thread that cancels, the last registered
 * one first, so a dependent of the caller that blocks would keep those of the engine from stopping the work.
 */
final class StoppingFuture<T> extends CompletableFuture<T> {
    private volatile @Nullable Runnable stop;

    /** Sets what stops the work; it may be called more than once, also after the end. Throws nothing. */
    void stopsBy(Runnable how) {
        stop = how;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        Runnable how = stop;
        if (how != null && !isDone()) {
            how.run();
        }
        return super.cancel(mayInterruptIfRunning);
    }

    /** Futures that depend on this one stop nothing. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
