package dev.shardkit.engine.run;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.shardkit.spi.plan.ByteRange;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Checks that concurrent puts and evictions keep the weight of a cache exact: the cache and the budget of all caches
 * must both report the weight of the values that are left.
 */
@JCStressTest
@Outcome(id = "2256, 2256", expect = ACCEPTABLE, desc = "two values of 1,000 bytes, and 128 bytes of overhead for each")
@State
public class ValueCacheStress {
    private final CacheBudget budgetOfAll = new CacheBudget(1 << 20);
    private final ValueCache cache = new ValueCache(2500, budgetOfAll); // two values fit

    private void put(String object) {
        cache.put(new ValueCache.Key(object, "v", ByteRange.whole(), "id"), object, 1000);
    }

    /** Puts two values, of which the other actor puts the second one too. */
    @Actor
    public void first() {
        put("a");
        put("b");
    }

    /** Puts two values, of which the other actor puts the first one too. */
    @Actor
    public void second() {
        put("b");
        put("c");
    }

    /** Records both weights. */
    @Arbiter
    public void look(JJ_Result result) {
        result.r1 = cache.weight();
        result.r2 = budgetOfAll.total();
    }
}
