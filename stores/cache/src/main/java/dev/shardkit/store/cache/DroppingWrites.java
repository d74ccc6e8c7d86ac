package dev.shardkit.store.cache;

import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Writes of the other store, which remove the object from the cache whether they succeed or not. Thread-safe.
 *
 * @param writes the writes of the other store
 * @param reads the cached reads, which drop the object
 */
record DroppingWrites(Writes writes, CachedReads reads) implements Writes {
    @Override
    public CompletionStage<WriteResult> put(String key, Content content, Condition condition, Durability durability) {
        return dropping(key, writes.put(key, content, condition, durability));
    }

    @Override
    public CompletionStage<WriteResult> putExactlyOnce(
            String key, Content content, Condition condition, Durability durability) {
        return dropping(key, writes.putExactlyOnce(key, content, condition, durability));
    }

    @Override
    public CompletionStage<WriteResult> delete(String key, Condition condition) {
        return dropping(key, writes.delete(key, condition));
    }

    /**
     * Drops the object when the change ends. The returned stage completes after that, so a later read does not see the
     * old version.
     */
    private CompletionStage<WriteResult> dropping(String key, CompletionStage<WriteResult> change) {
        return change.whenComplete((outcome, thrown) -> reads.invalidate(key));
    }

    @Override
    public Set<Condition.Kind> honours() {
        return writes.honours();
    }

    @Override
    public boolean copiesRanges() {
        return writes.copiesRanges();
    }
}
