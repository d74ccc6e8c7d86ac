package dev.shardkit.store.cloud;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Condition;
import dev.shardkit.store.WriteResult;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The operations of one cloud on large objects and on many objects: puts in parts, copies of ranges, deletes and
 * listings. They take several requests or differ between clouds, so each cloud implements this interface. Thread-safe.
 */
public interface BulkOperations extends ListingRequests {
    /** Returns the maximum size in bytes of an object that is put by one request. */
    long largestPut();

    /** Puts an object that is larger than {@link #largestPut}. */
    CompletableFuture<WriteResult> putLarge(String key, Bytes bytes, Condition condition, WriteIds ids);

    /** Returns whether {@link #putMoved} works: the cloud copies ranges of stored objects into new ones. */
    default boolean copiesRanges() {
        return false;
    }

    /** Puts an object that is larger than {@link #largestPut} and contains ranges of stored objects. */
    default CompletableFuture<WriteResult> putMoved(String key, PutBody body, Condition condition, WriteIds ids) {
        throw new IllegalStateException("this cloud copies no ranges: " + key);
    }

    /** Returns the conditions on puts and deletes that the server honours. May send requests to find out, and wait. */
    default Set<Condition.Kind> honours() {
        return EnumSet.allOf(Condition.Kind.class);
    }

    /** Deletes the objects with these names. */
    CompletableFuture<?> delete(List<String> names);

    /** Returns an ability that only some clouds have; empty if this cloud does not have it. */
    default <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability.isInstance(this) ? Optional.of(ability.cast(this)) : Optional.empty();
    }
}
