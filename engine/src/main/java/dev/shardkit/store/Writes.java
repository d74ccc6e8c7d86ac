package dev.shardkit.store;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Makes and removes objects. Of a far store, whose answers come later, this is implemented as it is; a store whose
 * calls return when they are done implements {@link BlockingWrites}. Thread-safe.
 *
 * <p>A stage fails with a {@link dev.shardkit.spi.error.ZarrException} or an {@code IOException} if nothing was changed
 * or it does not matter to try again; where an answer was lost, so that the change may have been made, it completes
 * with {@link Outcome.Unknown}.
 */
public interface Writes extends Ability {
    /**
     * Makes {@code content} the value of {@code key} if {@code condition} holds at that moment: readers see the old
     * value or the new one, never a mixture, unless {@code durability} is {@link Durability#NONE}.
     *
     * @param condition of a kind that the store {@link #honours}
     * @return {@link Outcome.Done}, {@link Outcome.NotMet} or {@link Outcome.Unknown}
     */
    CompletionStage<Outcome> put(String key, Content content, Condition condition, Durability durability);

    /**
     * Removes {@code key} if {@code condition} holds at that moment.
     *
     * @param condition {@link Condition.Any} or, if the store honours it, {@link Condition.Version}
     * @return {@link Outcome.Done}, or {@link Outcome.Nothing} if the store knows that there was no object,
     *     {@link Outcome.NotMet} or {@link Outcome.Unknown}
     */
    CompletionStage<Outcome> delete(String key, Condition condition);

    /** The kinds of conditions that it can keep. By default none but that there is none. */
    default Set<Condition.Kind> honours() {
        return Set.of(Condition.Kind.ANY);
    }

    /** Whether {@link Content.Part.Stored} may be a part of what is put: ranges of objects that the store copies. */
    default boolean copiesRanges() {
        return false;
    }
}
