package dev.shardkit.store.cache;

import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.Set;

/**
 * Writes of the other store, whose calls block. They remove the object from the cache whether they succeed or not, as
 * {@link DroppingWrites} do. Thread-safe.
 *
 * @param writes the writes of the other store
 * @param reads the cached reads, which drop the object
 */
record DroppingBlockingWrites(BlockingWrites writes, CachedReads reads) implements BlockingWrites {
    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        try {
            return writes.putNow(key, content, condition, durability);
        } finally {
            reads.invalidate(key);
        }
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) throws IOException {
        try {
            return writes.deleteNow(key, condition);
        } finally {
            reads.invalidate(key);
        }
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
