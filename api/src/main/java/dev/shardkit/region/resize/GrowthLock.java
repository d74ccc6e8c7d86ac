package dev.shardkit.region.resize;

import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.session.StoredNode;
import dev.shardkit.store.policy.WriteOwnership;
import java.util.function.Supplier;

/** The lock that a resize, or a stream that extends an array, holds while it changes the array's shape. Stateless. */
public final class GrowthLock {
    /** The name of the lock, below the array's node. No object has this key. */
    public static final String NAME = "__growth";

    private GrowthLock() {}

    /** Runs {@code change} under the lock, if the store has locks. */
    public static <T> T alone(StoredNode node, Supplier<T> change) {
        return node.session().edits().alone(node.key(NAME), node.writing(), change);
    }

    /**
     * Returns whether {@link #alone} excludes other changes of the shape: the store has locks, or the caller owns the
     * array, so there are no other writers.
     */
    public static boolean isEffective(StoredNode node) {
        return node.session().options().writing().ownership() == WriteOwnership.OWNED
                || ObjectEdits.canBeAlone(node.writing());
    }
}
