package dev.shardkit.codec.vlen;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.codec.Codec;

/** The factories of both vlen codecs, for {@code ServiceLoader}. Stateless and thread-safe. */
public final class VlenCodecFactories {
    private VlenCodecFactories() {}

    /** The factory of {@code vlen-utf8}, for strings. */
    public static final class Utf8 implements CodecFactory {
        /** Creates the factory; called by the service loader. */
        public Utf8() {}

        @Override
        public String name() {
            return "vlen-utf8";
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new VlenCodec(name(), Carrier.STRING);
        }
    }

    /** The factory of {@code vlen-bytes}, for byte strings. */
    public static final class Bytes implements CodecFactory {
        /** Creates the factory; called by the service loader. */
        public Bytes() {}

        @Override
        public String name() {
            return "vlen-bytes";
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new VlenCodec(name(), Carrier.BYTES);
        }
    }
}
