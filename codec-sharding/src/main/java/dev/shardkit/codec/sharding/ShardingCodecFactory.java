package dev.shardkit.codec.sharding;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.MetadataException;
import java.util.List;

/** Creates {@link ShardingCodec}s. Found by {@link java.util.ServiceLoader}; thread-safe. */
public final class ShardingCodecFactory implements CodecFactory {
    @Override
    public String name() {
        return ShardingCodec.NAME;
    }

    @Override
    public int priority() {
        return BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        long[] chunkShape = config.requiredIntegers("chunk_shape", 1, Long.MAX_VALUE);
        CodecChain codecs = chain(config, "codecs");
        CodecChain indexCodecs = chain(config, "index_codecs");
        boolean atStart =
                config.oneOf("index_location", "start", "end").orElse("end").equals("start");
        return ShardingCodec.of(chunkShape, codecs, indexCodecs, atStart ? IndexLocation.START : IndexLocation.END);
    }

    private static CodecChain chain(Config config, String name) {
        List<Codec> codecs = config.codecs(name)
                .orElseThrow(() -> new MetadataException(config.at(name) + ": is required, but missing"));
        try {
            return CodecChain.of(codecs);
        } catch (MetadataException e) {
            throw new MetadataException(config.at(name) + ": " + e.fact(), e);
        }
    }
}
