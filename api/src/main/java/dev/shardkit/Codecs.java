package dev.shardkit;

import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * Codecs in the form that metadata and {@link ArraySpec} take them. Any other codec is {@link #named}. Without state,
 * so thread-safe.
 */
public final class Codecs {
    private Codecs() {}

    /** Any codec, with its configuration. */
    public static Json named(String name, Json.Obj configuration) {
        return Json.extension(name, configuration);
    }

    /** {@code zstd} at a level from -131072 to 22, without its own checksum. */
    public static Json zstd(int level) {
        return named("zstd", Json.object().with("level", Json.of(level)).with("checksum", Json.of(false)));
    }

    /** {@code gzip} at a level from 0 to 9. */
    public static Json gzip(int level) {
        return named("gzip", Json.object().with("level", Json.of(level)));
    }

    /** {@code crc32c}: a checksum behind the bytes. */
    public static Json crc32c() {
        return named("crc32c", Json.object());
    }

    /** {@code bytes} in little-endian order, which is implied where no other array-to-bytes codec is given. */
    public static Json bytesLittleEndian() {
        return named("bytes", Json.object().with("endian", Json.of("little")));
    }

    /** {@code bytes} in big-endian order. */
    public static Json bytesBigEndian() {
        return named("bytes", Json.object().with("endian", Json.of("big")));
    }

    /** {@code transpose}: dimension i of the encoded chunk is dimension {@code order[i]} of the chunk. */
    public static Json transpose(long... order) {
        return named("transpose", Json.object().with("order", Json.of(order)));
    }

    /**
     * {@code blosc} with a compressor ("lz4", "zstd" ...), a level from 0 to 9 and byte shuffle over elements of
     * {@code typeSize}.
     */
    public static Json blosc(String compressor, int level, int typeSize) {
        return named(
                "blosc",
                Json.object()
                        .with("cname", Json.of(compressor))
                        .with("clevel", Json.of(level))
                        .with("shuffle", Json.of("shuffle"))
                        .with("typesize", Json.of(typeSize))
                        .with("blocksize", Json.of(0)));
    }

    /** {@code sharding_indexed}, for shards within shards: {@code chunkShape} is that of its inner chunks. */
    public static Json sharding(long[] chunkShape, Json... codecs) {
        return sharding(chunkShape, defaultIndex(), codecs);
    }

    /** {@code sharding_indexed} with an index that is encoded by other codecs or lies at the start. */
    public static Json sharding(long[] chunkShape, IndexEncoding index, Json... codecs) {
        return named(
                "sharding_indexed",
                Json.object()
                        .with("chunk_shape", Json.of(chunkShape))
                        .with("codecs", new Json.Arr(List.of(codecs)))
                        .with("index_codecs", new Json.Arr(index.codecs()))
                        .with("index_location", Json.of(index.location().word())));
    }

    /** The index of shards where nothing else is said: little-endian numbers with a checksum, at the end. */
    public static IndexEncoding defaultIndex() {
        return new IndexEncoding(List.of(bytesLittleEndian(), crc32c()), IndexLocation.END);
    }
}
