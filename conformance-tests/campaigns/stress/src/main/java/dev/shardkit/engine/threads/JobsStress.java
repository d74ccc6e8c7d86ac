package dev.shardkit.engine.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Each job is done once, and the caller sees what others have done, whether a helper comes early, late or never. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each once, before the call returns")
@State
public class JobsStress {
    private final AtomicReference<Runnable> helper = new AtomicReference<>();
    private final int[] done = new int[3];

    /** The caller. */
    @Actor
    public void caller(III_Result r) {
        BlockingJobs.run(3, i -> done[(int) i]++, 2, helper::set);
        r.r1 = done[0];
        r.r2 = done[1];
        r.r3 = done[2];
    }

    /** The executor's thread, which may find that there is nothing to do any more. */
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
