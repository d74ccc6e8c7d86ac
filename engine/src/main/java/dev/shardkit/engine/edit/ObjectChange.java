package dev.shardkit.engine.edit;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.StagedPuts;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** A change of one stored object, described by plans that read the current object. Used by one thread at a time. */
public interface ObjectChange {
    /** Plans the edit of the object under {@code policy}, which requires only what the store supports. */
    Plan<Edit> plan(ShardWritePolicy policy);

    /**
     * Returns whether the change may be made twice, as a write of elements may. A change that may not is made at most
     * once: if the answer of the store is lost and the outcome stays unknown, the call fails with an
     * {@link dev.shardkit.spi.error.UnknownOutcomeException}.
     */
    default boolean isRepeatable() {
        return true;
    }

    /** Returns a change with these plans that is not repeatable, such as one of a document. */
    static ObjectChange once(Function<ShardWritePolicy, Plan<Edit>> plans) {
        return new ObjectChange() {
            @Override
            public Plan<Edit> plan(ShardWritePolicy policy) {
                return plans.apply(policy);
            }

            @Override
            public boolean isRepeatable() {
                return false;
            }
        };
    }

    /** Returns the approximate memory of the encoded edit in bytes; 0 if it is negligible. */
    default long weight() {
        return 0;
    }

    /**
     * Returns the staged object whose bytes precede the bytes of {@code edit}; empty, the default, if the edit has all
     * bytes.
     *
     * @param edit an edit that this change has planned, and that replaces the whole object
     */
    default Optional<StagedPuts.Staged> staged(Edit edit) {
        return Optional.empty();
    }

    /** Called after the object was changed. */
    default void carriedOut() {}

    /** Returns the end of the last valid index of an object with an interrupted append; empty if there is none. */
    default Plan<OptionalLong> lastValidEnd() {
        return Plan.done(OptionalLong.empty());
    }
}
