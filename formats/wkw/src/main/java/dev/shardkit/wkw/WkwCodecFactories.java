package dev.shardkit.wkw;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;

/** The factories of this module's codecs, for the service loader. Stateless and thread-safe. */
final class WkwCodecFactories {
    private WkwCodecFactories() {}

    /** Creates {@code wkw}. */
    public static final class Cubes implements CodecFactory {
        /** Called by the service loader. */
        public Cubes() {}

        @Override
        public String name() {
            return CubeCodec.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return CubeCodec.create(config);
        }
    }

    /** Creates {@code wkw.lz4}. */
    public static final class Lz4 implements CodecFactory {
        /** Called by the service loader. */
        public Lz4() {}

        @Override
        public String name() {
            return WkwLz4Codec.NAME;
        }

        @Override
        public int priority() {
            return BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new WkwLz4Codec();
        }
    }
}
