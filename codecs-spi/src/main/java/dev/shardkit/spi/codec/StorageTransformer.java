package dev.shardkit.spi.codec;

import dev.shardkit.spi.json.Json;

/**
 * Arranges an array's chunks differently in the store (Zarr core specification, section "Storage transformers").
 * Transformers can be stacked. Immutable.
 */
public interface StorageTransformer {
    /** Returns the name in the metadata. */
    String name();

    /** Returns the configuration in the metadata. */
    Json.Obj configuration();

    /**
     * Rejects arrays that this transformer does not fit; by default it accepts all arrays.
     *
     * @throws dev.shardkit.spi.error.MetadataException if it does not fit an array with shape {@code arrayShape}
     */
    default void check(long[] arrayShape) {}

    /** Returns the keys as the array sees them, backed by the keys of {@code below}. */
    Keyspace over(Keyspace below);
}
