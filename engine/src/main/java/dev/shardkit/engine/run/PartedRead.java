package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A read that consists of independent parts. When an object changes during the run, only the parts that have read it
 * run again; so a part must only overwrite its own results.
 *
 * @param count the number of parts
 * @param part creates the plan of a part, by index; it may be called again
 * @param value returns the result of all parts. It is also called if some parts must still run again; that result is
 *     ignored
 */
public record PartedRead<T>(long count, LongFunction<Plan<NoResult>> part, Supplier<T> value) {
    /** Returns the plan of all parts. */
    public Plan<T> plan() {
        return plan(count, part);
    }

    /** Returns the plan of some parts. */
    Plan<T> plan(long[] indexes) {
        return plan(indexes.length, i -> part.apply(indexes[(int) i]));
    }

    private Plan<T> plan(long partCount, LongFunction<Plan<NoResult>> partPlan) {
        return Plan.each(partCount, partPlan).map(done -> value.get());
    }
}
