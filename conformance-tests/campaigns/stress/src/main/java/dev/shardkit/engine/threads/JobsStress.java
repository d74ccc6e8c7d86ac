package dev.shardkit.engine.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Checks {@link BlockingJobs}: each job runs exactly once, and the caller sees the effects of the jobs that a helper
 * thread has run, no matter whether the helper comes early, late or never.
 */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each job ran once before the call returned")
@State
public class JobsStress {
    private final AtomicReference<Runnable> helper = new AtomicReference<>();
    private final int[] runs = new int[3];

    /** Runs three jobs with at most one helper, and records how often each has run. */
    @Actor
    public void caller(III_Result result) {
        BlockingJobs.run(3, i -> runs[(int) i]++, 2, helper::set);
        result.r1 = runs[0];
        result.r2 = runs[1];
        result.r3 = runs[2];
    }

    /** Runs the helper task like a thread of the executor. The caller may have done all jobs already. */
    @Actor
    public void helper() {
        for (int i = 0; i < 1000; i++) {
            Runnable task = helper.get();
            if (task != null) {
                task.run();
                return;
            }
        }
    }
}
