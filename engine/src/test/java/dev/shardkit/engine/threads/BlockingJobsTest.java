package dev.shardkit.engine.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BlockingJobsTest {
    private static WeakReference<AtomicLong> runWith(List<Runnable> neverBegun) {
        AtomicLong sum = new AtomicLong();
        BlockingJobs.run(4, sum::addAndGet, 4, neverBegun::add);
        assertEquals(6, sum.get());
        return new WeakReference<>(sum);
    }

    @Test
    void helpersThatAnExecutorNeverBegins_holdNothingOfTheCallers() {
        List<Runnable> neverBegun = new ArrayList<>();
        WeakReference<AtomicLong> callers = runWith(neverBegun);
        while (callers.get() != null) {
            System.gc();
        }
        assertEquals(3, neverBegun.size());
        neverBegun.forEach(Runnable::run);
        Reference.reachabilityFence(neverBegun);
    }
}
