package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.StorageTransformer;

/** The factories of this module's storage transformers, for the service loader. Stateless and thread-safe. */
final class TransformerFactories {
    private TransformerFactories() {}

    /** Creates {@code neuroglancer.files}. */
    public static final class Files implements StorageTransformerFactory {
        /** Called by the service loader. */
        public Files() {}

        @Override
        public String name() {
            return ChunkFiles.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public StorageTransformer create(Config config) {
            return new ChunkFiles(
                    VolumeGrid.parse(config), config.requiredInteger(ChunkFiles.MAX_BYTES, 0, Limits.LARGEST_CHUNK));
        }
    }

    /** Creates {@code neuroglancer.shards}. */
    public static final class Shards implements StorageTransformerFactory {
        /** Called by the service loader. */
        public Shards() {}

        @Override
        public String name() {
            return HashedShards.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public StorageTransformer create(Config config) {
            return HashedShards.create(VolumeGrid.parse(config), Sharding.parse(config), config.pointer());
        }
    }
}
