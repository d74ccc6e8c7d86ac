package dev.shardkit.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.shardkit.spi.plan.ByteRange;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two readers that miss the same value read it once, in either order. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one read, no flight left")
@State
public class InFlightReadsStress {
    private static final ValueCache.Key KEY = new ValueCache.Key("k", "v", ByteRange.whole(), "id");

    private final ValueCache cache = new ValueCache(1 << 20);
    private int firstReads;
    private int secondReads;

    /** Reads as the engine does: looks into the cache, joins a read in flight, looks again, keeps, completes. */
    private int read() {
        if (cache.get(KEY).isPresent()) {
            return 0;
        }
        InFlightReads.Joined joined =
                cache.inFlight().join(new InFlightReads.Key("k", ByteRange.whole(), Optional.of("v")));
        if (!joined.leads()) {
            return 0;
        }
        boolean kept = cache.get(KEY).isPresent();
        if (!kept) {
            cache.put(KEY, "value", 10);
        }
        cache.inFlight().complete(joined.read(), InFlightReads.NoResponse.RETRY);
        return kept ? 0 : 1;
    }

    /** A reader. */
    @Actor
    public void first() {
        firstReads = read();
    }

    /** A reader. */
    @Actor
    public void second() {
        secondReads = read();
    }

    /** Counts reads, and reads in flight. */
    @Arbiter
    public void look(II_Result r) {
        r.r1 = firstReads + secondReads;
        r.r2 = cache.inFlight().size();
    }
}
