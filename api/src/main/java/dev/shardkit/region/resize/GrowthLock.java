package dev.shardkit.region.resize;

import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.session.StoredNode;
import dev.shardkit.store.policy.WriteOwnership;
import java.util.function.Supplier;

/** The lock of an array that streams which extend it and resizes hold while they change its shape. Stateless. */
public final class GrowthLock {
    /** The name of the lock, below the array's node. No object has this key. */
    public static final String NAME = "__growth";

    private GrowthLock() {}

    /** Runs {@code change} under the lock, if the store has locks. */
    public static <T> T alone(StoredNode node, Supplier<T> change) {
        return node.session().edits().alone(node.key(NAME), node.writing(), change);
    }

    /**
     * Returns whether the store can lock the array against other streams that extend it and against resizes, or the
     * caller owns the array.
     */
    public static boolean isEffective(StoredNode node) {
        return node.session().options().writing().ownership() == WriteOwnership.OWNED
                || ObjectEdits.canBeAlone(node.writing());
    }
}
