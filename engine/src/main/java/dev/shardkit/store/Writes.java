package dev.shardkit.store;

import dev.shardkit.store.policy.Durability;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Puts and deletes objects. A store whose calls return futures implements this interface; a store whose calls block
 * implements {@link BlockingWrites}. Thread-safe.
 *
 * <p>A stage fails with a {@link dev.shardkit.spi.error.ZarrException} or an {@code IOException} if nothing has
 * changed, or if the change can safely be repeated. If the answer was lost, so that the change may have been made, the
 * stage completes with {@link WriteResult.Unknown}.
 *
 * <p>The store retries transient failures itself. The engine sends a change again only if another writer has changed
 * the object.
 *
 * <p>Each stage must end: with an outcome, or exceptionally. The engine sets no deadline, because it cannot know
 * whether an abandoned change would still be made. Until a stage ends, the call that waits for it does not return and
 * the object's lock stays held, so other writers of the object fail when their patience expires. Neither an interrupt
 * nor a cancellation ends the wait. So a store must give each request a deadline, and complete the stage with
 * {@link WriteResult.Unknown} when it expires.
 */
public interface Writes extends Ability {
    /**
     * Stores {@code content} under {@code key} if {@code condition} holds at that moment. Readers see the old object or
     * the new one, never a mixture, unless {@code durability} is {@link Durability#NONE}.
     *
     * @param condition of a kind that the store {@link #honours}
     * @return {@link WriteResult.Done}, {@link WriteResult.NotMet} or {@link WriteResult.Unknown}
     */
    CompletionStage<WriteResult> put(String key, Content content, Condition condition, Durability durability);

    /**
     * Stores content as {@link #put} does, but never makes a change twice, such as the increment of a counter. If an
     * answer is lost, the store finds out whether its put was made, even if other writers have replaced the object by
     * this method since. {@link WriteResult.NotMet} then means that the object does not contain the change. If the
     * store cannot find out, the outcome is {@link WriteResult.Unknown}. By default does the same as {@code put}, so
     * every lost answer is an unknown outcome.
     *
     * @param condition {@link Condition.Absent} or {@link Condition.Version}: {@code content} was made from that
     *     version
     */
    default CompletionStage<WriteResult> putExactlyOnce(
            String key, Content content, Condition condition, Durability durability) {
        return put(key, content, condition, durability);
    }

    /**
     * Deletes the object under {@code key} if {@code condition} holds at that moment.
     *
     * @param condition {@link Condition.Any} or, if the store honours it, {@link Condition.Version}
     * @return {@link WriteResult.Done}, or {@link WriteResult.Nothing} if the store knows that there was no object,
     *     {@link WriteResult.NotMet} or {@link WriteResult.Unknown}
     */
    CompletionStage<WriteResult> delete(String key, Condition condition);

    /**
     * Returns the kinds of conditions that the store supports; by default only {@link Condition.Kind#ANY}. A store that
     * has to ask its server blocks the first time, and throws a {@link dev.shardkit.spi.error.StoreException} if that
     * fails.
     */
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
