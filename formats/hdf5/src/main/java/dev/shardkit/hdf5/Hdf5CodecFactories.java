package dev.shardkit.hdf5;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import java.util.ArrayList;
import java.util.List;

/** The factories of this module; found by {@link java.util.ServiceLoader}. Each is stateless and thread-safe. */
public final class Hdf5CodecFactories {
    private Hdf5CodecFactories() {}

    /** Creates {@code hdf5.filters}, for chunks of which some were stored without some filters. */
    public static final class Masked implements CodecFactory {
        /** Called by the service loader. */
        public Masked() {}

        @Override
        public String name() {
            return MaskedCodec.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            List<BytesToBytesCodec> filters = new ArrayList<>();
            for (Codec codec : config.codecs(MaskedCodec.FILTERS).orElse(List.of())) {
                if (!(codec instanceof BytesToBytesCodec filter)) {
                    throw new MetadataException(
                            config.at(MaskedCodec.FILTERS) + ": expected bytes-to-bytes codecs, found " + codec.name());
                }
                filters.add(filter);
            }
            return new MaskedCodec(List.copyOf(filters));
        }
    }

    /** Creates {@code hdf5.lz4}. */
    public static final class Lz4 implements CodecFactory {
        /** Called by the service loader. */
        public Lz4() {}

        @Override
        public String name() {
            return Lz4Blocks.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new Lz4Blocks();
        }
    }
}
