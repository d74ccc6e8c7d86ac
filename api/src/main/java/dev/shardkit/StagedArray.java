package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.creation.NodePreconditions;

/**
 * A new array whose chunks are written under their final keys first and whose metadata is written last, so other
 * readers find no array before {@link #publish}. If it is abandoned, the written chunks stay; it is not a transaction.
 * Thread-safe.
 */
public final class StagedArray {
    private final ZarrArray array;
    private final Runnable publication;

    StagedArray(StoredNode node, ArrayMetadata metadata) {
        this(new ZarrArray(node, metadata), () -> {
            if (!NodePreconditions.create(node, metadata)) {
                throw NodePreconditions.exists(node);
            }
            ConsolidatedUpdates.replaced(node);
        });
    }

    /**
     * Creates a staged array.
     *
     * @param publication stores the metadata
     */
    StagedArray(ZarrArray array, Runnable publication) {
        this.array = array;
        this.publication = publication;
    }

    /** Returns the array to write to. */
    public ZarrArray array() {
        return array;
    }

    /**
     * Writes the metadata and returns the array.
     *
     * @throws dev.shardkit.spi.error.StoreException if the metadata cannot be stored, or another node was made at this
     *     place meanwhile
     */
    public ZarrArray publish() {
        publication.run();
        return array;
    }
}
