package dev.shardkit.benchmarks.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same work in several threads in parallel. */
final class ParallelThreads {
    private ParallelThreads() {}

    /**
     * Runs the work in {@code count} threads at once. Returns when all threads have finished.
     *
     * @throws IOException if a thread failed with a checked exception or an error, or the wait was interrupted
     * @throws RuntimeException the exception of a thread that failed with an unchecked one
     */
    static void run(int count, Callable<?> work) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(threads.submit(work));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            threads.shutdownNow();
        }
    }
}
