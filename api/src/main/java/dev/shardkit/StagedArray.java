package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.StoredNode;

/**
 * An array whose chunks are written before its metadata: to others it is no array until {@link #publish}. Thread-safe.
 * Not a transaction: chunks that were written stay when it is given up.
 */
public final class StagedArray {
    private final StoredNode node;
    private final ZarrArray array;

    StagedArray(StoredNode node, ArrayMetadata metadata) {
        this.node = node;
        this.array = new ZarrArray(node, metadata);
    }

    /** The array, to be written. */
    public ZarrArray array() {
        return array;
    }

    /** Writes the metadata and gives the array. */
    public ZarrArray publish() {
        node.putMetadata(array.metadata());
        Consolidated.created(node, array.metadata());
        return array;
    }
}
