package dev.shardkit.cf;

import dev.shardkit.NdArray;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A read in two steps: the coordinates of a selection, then its elements. However it ends, steps that run are stopped.
 */
final class SelectionRead extends CompletableFuture<CfValues> {
    /** The reads that were begun. Guarded by this object. */
    private final List<CompletableFuture<?>> begun = new ArrayList<>();

    private SelectionRead() {}

    /**
     * Begins a read.
     *
     * @param coordinates begin the reads of the coordinates, which come first, all at once
     * @param elements begins the read of the elements
     * @param decode decodes them
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

    private <T> CompletableFuture<T> begin(CompletableFuture<T> step) {
        synchronized (this) {
            begun.add(step);
        }
        if (isDone()) {
            step.cancel(true);
        }
        return step;
    }

    /** Goes on with a step, unless the read has ended. */
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

    /** Runs a step. If it throws, the read ends with the exception. */
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
