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

/** Checks that two readers that miss the same value in the cache read it only once. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one read, and no read in flight is left")
@State
public class InFlightReadsStress {
    private static final ValueCache.Key KEY = new ValueCache.Key("k", "v", ByteRange.whole(), "id");

    private final ValueCache cache = new ValueCache(1 << 20);
    private int firstReads;
    private int secondReads;

    /**
     * Reads as the engine does: looks into the cache; joins or starts a read in flight; looks into the cache again,
     * because another reader may have finished in between; caches the value; and completes the read in flight. Returns
     * 1 if it had to read the value, 0 otherwise.
     */
    private int read() {
        if (cache.get(KEY).isPresent()) {
            return 0;
        }
        InFlightReads.Joined joined =
                cache.inFlight().join(new InFlightReads.Key("k", ByteRange.whole(), Optional.of("v")));
        if (!joined.leads()) {
            return 0;
        }
        boolean isCached = cache.get(KEY).isPresent();
        if (!isCached) {
            cache.put(KEY, "value", 10);
        }
        cache.inFlight().complete(joined.read(), InFlightReads.NoResponse.RETRY);
        return isCached ? 0 : 1;
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
    public void look(II_Result result) {
        result.r1 = firstReads + secondReads;
        result.r2 = cache.inFlight().size();
    }
}
