package dev.shardkit.n5;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.error.MetadataException;
import java.util.List;

/** The factories of this module's codecs, for the service loader. Stateless and thread-safe. */
final class N5CodecFactories {
    private N5CodecFactories() {}

    /** Creates {@code n5_default}. */
    public static final class Block implements CodecFactory {
        /** Called by the service loader. */
        public Block() {}

        @Override
        public String name() {
            return BlockCodec.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            List<Codec> codecs = config.codecs("codecs")
                    .orElseThrow(() -> new MetadataException(config.at("codecs") + ": is required, but missing"));
            try {
                return new BlockCodec(CodecChain.of(codecs));
            } catch (MetadataException e) {
                throw new MetadataException(config.at("codecs") + ": " + e.fact(), e);
            }
        }
    }

    /** Creates {@code n5.lz4_block}. */
    public static final class Lz4Block implements CodecFactory {
        /** Called by the service loader. */
        public Lz4Block() {}

        @Override
        public String name() {
            return Lz4BlockCodec.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            long size = config.integer("block_size", Lz4BlockCodec.MIN_BLOCK_SIZE, Lz4BlockCodec.MAX_BLOCK_SIZE)
                    .orElse(Lz4BlockCodec.DEFAULT_BLOCK_SIZE);
            return new Lz4BlockCodec((int) size);
        }
    }
}
