package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.codec.StorageTransformer;

/** Makes {@link ShardingTransformer}s. Stateless, thread-safe. */
public final class ShardingTransformerFactory implements StorageTransformerFactory {
    /** For the service loader. */
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
