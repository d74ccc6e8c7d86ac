package dev.shardkit.store.keys;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A key's lock has one holder at a time, also when its slot goes and comes back between two of them. */
@JCStressTest
@Outcome(id = "3, false", expect = ACCEPTABLE, desc = "no update is lost, and nobody holds it in the end")
@State
public class KeyLocksStress {
    private final KeyLocks<String> locks = new KeyLocks<>();
    private int count;

    private void increment() {
        try {
            KeyLocks<String>.Held held =
                    locks.acquire("k", TimeUnit.MINUTES.toNanos(1)).orElseThrow();
            count++;
            held.release();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A holder. */
    @Actor
    public void first() {
        increment();
    }

    /** A holder. */
    @Actor
    public void second() {
        increment();
    }

    /** A holder. */
    @Actor
    public void third() {
        increment();
    }

    /** Looks at what they have counted. */
    @Arbiter
    public void look(IZ_Result r) {
        r.r1 = count;
        r.r2 = locks.holder("k").isPresent();
    }
}
