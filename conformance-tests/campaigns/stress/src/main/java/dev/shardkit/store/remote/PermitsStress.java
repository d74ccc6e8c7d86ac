package dev.shardkit.store.remote;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Requests take turns for the permits there are, also while the limit rises; none is lost or made up. */
@JCStressTest
@Outcome(id = "4, 0, 3", expect = ACCEPTABLE, desc = "all requests were sent, and three permits are left")
@State
public class PermitsStress {
    private final Permits permits = new Permits(2);
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger under = new AtomicInteger();
    private final AtomicInteger tooMany = new AtomicInteger();

    private void send() {
        permits.acquire(() -> {
            if (under.incrementAndGet() > 3) {
                tooMany.incrementAndGet();
            }
            sent.incrementAndGet();
            under.decrementAndGet();
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
    public void look(III_Result r) {
        r.r1 = sent.get();
        r.r2 = tooMany.get();
        AtomicInteger left = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            permits.acquire(left::incrementAndGet);
        }
        r.r3 = left.get();
    }
}
