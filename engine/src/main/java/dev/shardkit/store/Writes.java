package dev.shardkit.store;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Puts and deletes objects. A store whose calls return futures implements this interface; a store whose calls block
 * implements {@link BlockingWrites}. Thread-safe.
 *
 * <p>A stage fails with a {@link dev.shardkit.spi.error.ZarrException} or an {@code IOException} if nothing has
 * changed, or if the change can safely be repeated. If the answer was lost, so that the change may have been made, the
 * stage completes with {@link Outcome.Unknown}.
 *
 * <p>Each stage must end: with an outcome, or exceptionally. The engine sets no deadline of its own, because it cannot
 * know whether a change that it gave up would still be made. As long as a stage does not end, the call that waits for
 * it does not return, and the object's lock stays held, so other writers of the object fail after their patience. An
 * interrupt ends the wait only where the change was conditional; a change without a condition is awaited in any case.
 * So a store gives each request a deadline, and completes the stage with {@link Outcome.Unknown} when it has passed.
 * After cancelling a stage the engine ignores its end.
 */
public interface Writes extends Ability {
    /**
     * Stores {@code content} under {@code key} if {@code condition} holds at that moment. Readers see the old object or
     * the new one, never a mixture, unless {@code durability} is {@link Durability#NONE}.
     *
     * @param condition of a kind that the store {@link #honours}
     * @return {@link Outcome.Done}, {@link Outcome.NotMet} or {@link Outcome.Unknown}
     */
    CompletionStage<Outcome> put(String key, Content content, Condition condition, Durability durability);

    /**
     * Deletes the object under {@code key} if {@code condition} holds at that moment.
     *
     * @param condition {@link Condition.Any} or, if the store honours it, {@link Condition.Version}
     * @return {@link Outcome.Done}, or {@link Outcome.Nothing} if the store knows that there was no object,
     *     {@link Outcome.NotMet} or {@link Outcome.Unknown}
     */
    CompletionStage<Outcome> delete(String key, Condition condition);

    /** Returns the kinds of conditions that the store supports; by default only {@link Condition.Kind#ANY}. */
    default Set<Condition.Kind> honours() {
        return Set.of(Condition.Kind.ANY);
    }

    /**
     * Returns whether content may have parts of type {@link Content.Part.Stored}: ranges that the store itself copies.
     */
    default boolean copiesRanges() {
        return false;
    }
}
