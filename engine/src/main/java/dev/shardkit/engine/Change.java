package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Plan;
import java.util.OptionalLong;

/** A change of one stored object, described by plans that read it as it is. Used by one thread at a time. */
public interface Change {
    /** What becomes of the object, by {@code policy}, which asks for nothing that the store cannot do. */
    Plan<Edit> plan(WritePolicy policy);

    /** About how many bytes its edit holds in memory until it is carried out; 0 if that is not worth counting. */
    default long weight() {
        return 0;
    }

    /** Is told that the object was changed. */
    default void carriedOut() {}

    /** Where the object, of which an append was cut short, ends with a valid index; empty if it can't be told. */
    default Plan<OptionalLong> lastValidEnd() {
        return Plan.done(OptionalLong.empty());
    }
}
