package dev.shardkit.engine;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Unit;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A read of parts that do not depend on each other. When an object changes underneath, those that have read it are run
 * again, and no others; so a part does nothing but overwrite what is its own.
 *
 * @param count how many
 * @param part makes the plan of a part, by index; it may be called again
 * @param value what the parts have made; also asked for when some are still to be run again, and then dropped
 */
public record Parts<T>(long count, LongFunction<Plan<Unit>> part, Supplier<T> value) {
    /** All parts. */
    public Plan<T> plan() {
        return plan(count, part);
    }

    /** Some parts. */
    Plan<T> plan(long[] some) {
        return plan(some.length, i -> part.apply(some[(int) i]));
    }

    private Plan<T> plan(long number, LongFunction<Plan<Unit>> made) {
        return Plan.each(number, made).map(u -> value.get());
    }
}
