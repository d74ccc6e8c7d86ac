package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Plan;
import java.util.OptionalLong;

/** A change of one stored object, described by plans that read the current object. Used by one thread at a time. */
public interface Change {
    /** Plans the edit of the object under {@code policy}, which requires only what the store supports. */
    Plan<Edit> plan(WritePolicy policy);

    /** Returns the approximate memory of the encoded edit in bytes; 0 if it is negligible. */
    default long weight() {
        return 0;
    }

    /** Called after the object was changed. */
    default void carriedOut() {}

    /** Returns the end of the last valid index of an object with an interrupted append; empty if there is none. */
    default Plan<OptionalLong> lastValidEnd() {
        return Plan.done(OptionalLong.empty());
    }
}
