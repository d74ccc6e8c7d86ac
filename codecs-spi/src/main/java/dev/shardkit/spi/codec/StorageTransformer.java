package dev.shardkit.spi.codec;

import dev.shardkit.spi.json.Json;
import java.util.Optional;

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

    /**
     * Returns how this transformer packs chunks into shards; empty if its stored objects are not shards that
     * {@code sharding_indexed} could describe. Conversion then describes them by that codec and keeps the objects.
     */
    default Optional<Packing> packing() {
        return Optional.empty();
    }

    /**
     * How encoded chunks are packed into shards. Immutable.
     *
     * @param chunksPerShard the number of chunks of a shard in each dimension
     * @param index the encoding of the index
     */
    record Packing(long[] chunksPerShard, IndexEncoding index) {
        /** Copies {@code chunksPerShard}. */
        public Packing {
            chunksPerShard = chunksPerShard.clone();
        }

        /** Returns a copy of the number of chunks of a shard in each dimension. */
        @Override
        public long[] chunksPerShard() {
            return chunksPerShard.clone();
        }
    }
}
