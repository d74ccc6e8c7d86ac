package dev.shardkit.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Assertions;

/** Runs something on four threads at once. */
final class Parallel {
    private static final int THREADS = 4;

    private Parallel() {}

    static void run(IntConsumer work) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                ends.add(pool.submit(() -> work.accept(thread)));
            }
            for (Future<?> end : ends) {
                try {
                    end.get();
                } catch (ExecutionException e) {
                    Assertions.fail("one of " + THREADS + " threads failed: " + e.getCause(), e.getCause());
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
