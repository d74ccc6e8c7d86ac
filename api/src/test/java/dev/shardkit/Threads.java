package dev.shardkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs jobs at the same time. */
public final class Threads {
    private Threads() {}

    /** As {@link #runAll(List)}, for jobs without a result. */
    public static void runEach(List<Runnable> jobs) throws Exception {
        runAll(jobs.stream().map(Executors::callable).toList());
    }

    /** Runs each job on a thread of its own and waits for all; fails with the first failure. */
    public static void runAll(List<? extends Callable<?>> jobs) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(jobs.size());
        try {
            List<Future<?>> ends = new ArrayList<>();
            jobs.forEach(job -> ends.add(pool.submit(job)));
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
