package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.StoredNode;

/**
 * An array whose chunks are written before its metadata. Other readers find no array before {@link #publish}. If it is
 * abandoned, the written chunks stay; it is not a transaction. Thread-safe.
 */
public final class StagedArray {
    private final StoredNode node;
    private final ZarrArray array;

    StagedArray(StoredNode node, ArrayMetadata metadata) {
        this.node = node;
        this.array = new ZarrArray(node, metadata);
    }

    /** Returns the array to write to. */
    public ZarrArray array() {
        return array;
    }

    /** Writes the metadata and returns the array. */
    public ZarrArray publish() {
        node.putMetadata(array.metadata());
        Consolidated.replaced(node);
        return array;
    }
}
