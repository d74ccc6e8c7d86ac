package dev.shardkit.cf;

import dev.shardkit.NdArray;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The future of a selection's values. A read has two steps: the coordinates, then the elements. When the future is
 * completed, for example because a step failed or the caller cancelled it, the reads that still run are cancelled.
 */
final class SelectionRead extends CompletableFuture<CfValues> {
    /** The reads that were begun. Guarded by this object. */
    private final List<CompletableFuture<?>> begun = new ArrayList<>();

    private SelectionRead() {}

    /**
     * Begins a read.
     *
     * @param coordinates each begins the read of a coordinate; all begin at once
     * @param elements begins the read of the elements, after all coordinates were read
     * @param decode decodes the elements
     */
    static SelectionRead start(
            List<Supplier<CompletableFuture<CfValues>>> coordinates,
            Supplier<CompletableFuture<NdArray>> elements,
            Function<NdArray, CfValues> decode) {
        SelectionRead read = new SelectionRead();
        read.whenComplete((values, failure) -> read.cancelSteps());
        read.guarded(() -> {
            CompletableFuture<?>[] labels = new CompletableFuture<?>[coordinates.size()];
            for (int i = 0; i < labels.length; i++) {
                labels[i] = read.begin(coordinates.get(i).get());
            }
            CompletableFuture.allOf(labels)
                    .whenComplete((none, failure) -> read.next(failure, () -> read.begin(elements.get())
                            .whenComplete(
                                    (stored, thrown) -> read.next(thrown, () -> read.complete(decode.apply(stored))))));
        });
        return read;
    }

    /** Registers a read that was begun, so that the end of this future cancels it. */
    private <T> CompletableFuture<T> begin(CompletableFuture<T> step) {
        synchronized (this) {
            begun.add(step);
        }
        if (isDone()) {
            step.cancel(true);
        }
        return step;
    }

    /** Runs the next step, or completes this future with the failure of the step before. Does nothing after the end. */
    private void next(Throwable failure, Runnable step) {
        if (isDone()) {
            return;
        } else if (failure == null) {
            guarded(step);
        } else {
            completeExceptionally(
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure);
        }
    }

    /** Runs a step. If the step throws, completes this future with the exception. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }

    private void cancelSteps() {
        List<CompletableFuture<?>> running;
        synchronized (this) {
            running = List.copyOf(begun);
        }
        running.forEach(step -> step.cancel(true));
    }
}
