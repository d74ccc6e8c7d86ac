package dev.shardkit.testkit.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Assertions;

/** Runs work of tests on other threads. */
public final class Parallel {
    private static final int THREADS = 4;

    private Parallel() {}

    /** Runs work on four threads at once, with the number of the thread, and fails if one of them fails. */
    public static void run(IntConsumer work) throws InterruptedException {
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

    /** Starts work on a new thread. */
    public static <T> CompletableFuture<T> start(Callable<T> work) {
        CompletableFuture<T> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                end.complete(work.call());
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    /** Waits up to a minute; throws the exception of the work. */
    public static <T> T await(Future<T> work) throws Exception {
        try {
            return work.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
