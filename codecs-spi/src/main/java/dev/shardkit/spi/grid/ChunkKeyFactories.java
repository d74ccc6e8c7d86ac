package dev.shardkit.spi.grid;

import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.ChunkKeyEncoding;

/**
 * The factories of both chunk key encodings, for {@code ServiceLoader}. Code uses {@link ChunkKeys} instead. Stateless
 * and thread-safe.
 */
public final class ChunkKeyFactories {
    private ChunkKeyFactories() {}

    private static ChunkKeys.Separator separator(Config config, String defaultSeparator) {
        return ChunkKeys.Separator.of(config.oneOf("separator", "/", ".").orElse(defaultSeparator));
    }

    /** The factory of {@code default}. */
    public static final class Default implements ChunkKeyEncodingFactory {
        /** Creates the factory; called by the service loader. */
        public Default() {}

        @Override
        public String name() {
            return "default";
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public ChunkKeyEncoding create(Config config) {
            return ChunkKeys.standard(separator(config, "/"));
        }
    }

    /** The factory of {@code v2}. */
    public static final class V2 implements ChunkKeyEncodingFactory {
        /** Creates the factory; called by the service loader. */
        public V2() {}

        @Override
        public String name() {
            return "v2";
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public ChunkKeyEncoding create(Config config) {
            return ChunkKeys.v2(separator(config, "."));
        }
    }
}
