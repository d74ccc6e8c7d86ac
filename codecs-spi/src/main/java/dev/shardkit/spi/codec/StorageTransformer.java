package dev.shardkit.spi.codec;

import dev.shardkit.spi.json.Json;

/** Another arrangement of an array's chunks in the store, as the metadata states it. Transformers stack. Immutable. */
public interface StorageTransformer {
    /** The name in the metadata. */
    String name();

    /** The configuration in the metadata. */
    Json.Obj configuration();

    /**
     * Refuses arrays that it cannot be one of; by default none.
     *
     * @throws dev.shardkit.spi.error.MetadataException if it does not fit an array of {@code arrayShape}
     */
    default void check(long[] arrayShape) {}

    /** The keys as the array sees them, over those of {@code below}. */
    Keyspace over(Keyspace below);
}
