package dev.shardkit;

import dev.shardkit.metadata.creation.DefaultCodecs;
import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.json.Json;

/**
 * Creates the JSON of common codecs, for {@link ArraySpec}. {@link #named} makes any other codec. Stateless,
 * thread-safe.
 */
public final class Codecs {
    private Codecs() {}

    /** Returns a codec with any name and configuration. */
    public static Json named(String name, Json.Obj configuration) {
        return Json.extension(name, configuration);
    }

    /** Returns {@code zstd} with a level from -131072 to 22, without its own checksum. */
    public static Json zstd(int level) {
        return DefaultCodecs.zstd(level);
    }

    /** Returns {@code gzip} with a level from 0 to 9. */
    public static Json gzip(int level) {
        return named("gzip", Json.object().with("level", Json.of(level)));
    }

    /** Returns {@code crc32c}, which appends a checksum. */
    public static Json crc32c() {
        return DefaultCodecs.crc32c();
    }

    /** Returns {@code bytes} in little-endian order, which is implied if there is no other array-to-bytes codec. */
    public static Json bytesLittleEndian() {
        return DefaultCodecs.bytesLittleEndian();
    }

    /** Returns {@code bytes} in big-endian order. */
    public static Json bytesBigEndian() {
        return named("bytes", Json.object().with("endian", Json.of("big")));
    }

    /** Returns {@code transpose}: dimension i of the encoded chunk is dimension {@code order[i]} of the chunk. */
    public static Json transpose(long... order) {
        return named("transpose", Json.object().with("order", Json.of(order)));
    }

    /**
     * Returns {@code blosc} with a compressor ("lz4", "zstd" ...), a level from 0 to 9, and byte shuffle for elements
     * of {@code typeSize} bytes.
     */
    public static Json blosc(String compressor, int level, int typeSize) {
        return named(
                "blosc",
                Json.object()
                        .with("cname", Json.of(compressor))
                        .with("clevel", Json.of(level))
                        .with("shuffle", Json.of("shuffle"))
                        .with("typesize", Json.of(typeSize))
                        .with("blocksize", Json.of(0))); // 0 lets blosc choose
    }

    /**
     * Returns {@code sharding_indexed}, for shards within shards. {@code chunkShape} is the shape of its inner chunks.
     */
    public static Json sharding(long[] chunkShape, Json... codecs) {
        return sharding(chunkShape, defaultIndex(), codecs);
    }

    /** Returns {@code sharding_indexed} with another encoding or position of the index. */
    public static Json sharding(long[] chunkShape, IndexEncoding index, Json... codecs) {
        return DefaultCodecs.sharding(chunkShape, index, codecs);
    }

    /** Returns the default encoding of shard indexes: little-endian numbers with a checksum, at the end. */
    public static IndexEncoding defaultIndex() {
        return DefaultCodecs.defaultIndex();
    }
}
