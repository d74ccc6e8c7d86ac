package dev.shardkit.zarrv3draft;

import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.json.Json;

/**
 * Creates the chunk key encoding of the draft of Zarr v3: {@code c0/1} or {@code c0.1}; {@code c} for rank 0. Its name
 * is specific to shardkit, since Zarr v3 has no such encoding. Not for new arrays. Stateless and thread-safe.
 */
public final class DraftChunkKeys implements ChunkKeyEncodingFactory {
    static final String NAME = "dev.shardkit.draft2022";
    static final String SEPARATOR = "separator";

    /** Creates the factory; called by the service loader. */
    public DraftChunkKeys() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public ChunkKeyEncoding create(Config config) {
        return new Encoding(config.oneOf(SEPARATOR, "/", ".").orElse("/"));
    }

    /** The encoding with one of the two separators. */
    private record Encoding(String separator) implements ChunkKeyEncoding {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Json.Obj configuration() {
            return Json.object().with(SEPARATOR, Json.of(separator));
        }

        @Override
        public String encode(long[] indices) {
            StringBuilder key = new StringBuilder("c");
            for (int d = 0; d < indices.length; d++) {
                key.append(d > 0 ? separator : "").append(indices[d]);
            }
            return key.toString();
        }
    }
}
