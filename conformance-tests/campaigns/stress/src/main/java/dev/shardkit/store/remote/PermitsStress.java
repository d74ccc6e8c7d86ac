package dev.shardkit.store.remote;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Checks the permits of remote stores: there are never more requests than permits, even while the limit is raised, and
 * no permit is lost or duplicated.
 */
@JCStressTest
@Outcome(id = "4, 0, 3", expect = ACCEPTABLE, desc = "all requests were sent, and three permits are left")
@State
public class PermitsStress {
    private final Permits permits = new Permits(2);
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger tooMany = new AtomicInteger();

    private void send() {
        permits.acquire(() -> {
            if (running.incrementAndGet() > 3) {
                tooMany.incrementAndGet();
            }
            sent.incrementAndGet();
            running.decrementAndGet();
            permits.release();
        });
    }

    /** Sends two requests. */
    @Actor
    public void first() {
        send();
        send();
    }

    /** Raises the limit to three between two requests. */
    @Actor
    public void second() {
        send();
        permits.raise(3);
        send();
    }

    /** Counts the permits that are left. */
    @Arbiter
    public void look(III_Result result) {
        result.r1 = sent.get();
        result.r2 = tooMany.get();
        AtomicInteger left = new AtomicInteger();
        for (int i = 0; i < 4; i++) { // one more than the limit, so that a duplicate would be seen
            permits.acquire(left::incrementAndGet);
        }
        result.r3 = left.get();
    }
}
