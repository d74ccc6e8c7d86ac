package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.codec.StorageTransformer;

/** Creates {@link ShardingTransformer}s. Stateless and thread-safe. */
public final class ShardingTransformerFactory implements StorageTransformerFactory {
    /** Creates the factory; called by the service loader. */
    public ShardingTransformerFactory() {}

    @Override
    public String name() {
        return ShardingTransformer.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public StorageTransformer create(Config config) {
        return ShardingTransformer.of(config.requiredIntegers(ShardingTransformer.CHUNKS_PER_SHARD, 1, Long.MAX_VALUE));
    }
}
