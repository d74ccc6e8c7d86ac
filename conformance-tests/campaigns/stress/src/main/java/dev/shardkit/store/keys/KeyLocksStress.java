package dev.shardkit.store.keys;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Checks that the lock of a key has one holder at a time, even if the lock's entry in the map is removed after one
 * holder and created again for the next.
 */
@JCStressTest
@Outcome(id = "3, false", expect = ACCEPTABLE, desc = "no update is lost, and the lock is free in the end")
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

    /** Increments the count under the lock. */
    @Actor
    public void first() {
        increment();
    }

    /** Increments the count under the lock. */
    @Actor
    public void second() {
        increment();
    }

    /** Increments the count under the lock. */
    @Actor
    public void third() {
        increment();
    }

    /** Records the count, and whether the lock is held. */
    @Arbiter
    public void look(IZ_Result result) {
        result.r1 = count;
        result.r2 = locks.holder("k").isPresent();
    }
}
