package dev.shardkit.engine.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.shardkit.spi.plan.Scratch;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** Checks the pool of scratches: two workers never get the same scratch, and released scratches are idle again. */
@JCStressTest
@Outcome(id = "true, 2048", expect = ACCEPTABLE, desc = "each has its own; both are idle in the end, with 1 KiB each")
@State
public class ScratchesStress {
    private final Scratches pool = new Scratches(1 << 20);
    private Scratch first;
    private Scratch second;

    /** Creates a pool with one idle scratch, so that one worker reuses it and the other gets a new one. */
    public ScratchesStress() {
        Scratch idle = pool.take();
        idle.borrow(1);
        pool.giveBack(idle, 2);
    }

    private Scratch take() {
        Scratch scratch = pool.take();
        scratch.borrow(1);
        return scratch;
    }

    /** Takes a scratch. */
    @Actor
    public void first() {
        first = take();
    }

    /** Takes a scratch. */
    @Actor
    public void second() {
        second = take();
    }

    /** Releases both scratches. */
    @Arbiter
    public void look(ZJ_Result result) {
        result.r1 = first != second;
        pool.giveBack(first, 2);
        pool.giveBack(second, 2);
        result.r2 = pool.idleBytes();
    }
}
