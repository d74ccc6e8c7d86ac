package dev.shardkit.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.shardkit.spi.plan.ByteRange;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The size that a cache reports is the size of its values, and the size that the budget of all caches counts. */
@JCStressTest
@Outcome(id = "2256, 2256", expect = ACCEPTABLE, desc = "two values of 1,000 bytes, 128 more for each")
@State
public class ValueCacheStress {
    private final CacheBudget ofAll = new CacheBudget(1 << 20);
    private final ValueCache cache = new ValueCache(2500, ofAll);

    private void put(String object) {
        cache.put(new ValueCache.Key(object, "v", ByteRange.whole(), "id"), object, 1000);
    }

    /** Puts two values, one of them the other actor's too. */
    @Actor
    public void first() {
        put("a");
        put("b");
    }

    /** Puts two values, one of them the other actor's too. */
    @Actor
    public void second() {
        put("b");
        put("c");
    }

    /** Looks at the weights; the cache has room for two values. */
    @Arbiter
    public void look(JJ_Result r) {
        r.r1 = cache.weight();
        r.r2 = ofAll.total();
    }
}
