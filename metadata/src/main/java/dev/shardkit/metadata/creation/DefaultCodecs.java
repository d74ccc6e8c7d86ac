package dev.shardkit.metadata.creation;

import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.List;

/** The codecs that descriptions of arrays use by default, in the form of the metadata. Stateless, thread-safe. */
public final class DefaultCodecs {
    private DefaultCodecs() {}

    public static Json zstd(int level) {
        return Json.extension(
                "zstd", Json.object().with("level", Json.of(level)).with("checksum", Json.of(false)));
    }

    public static Json crc32c() {
        return Json.extension("crc32c", Json.object());
    }

    public static Json bytesLittleEndian() {
        return Json.extension("bytes", Json.object().with("endian", Json.of("little")));
    }

    public static Json sharding(long[] chunkShape, IndexEncoding index, Json... codecs) {
        return Json.extension(
                "sharding_indexed",
                Json.object()
                        .with("chunk_shape", Json.of(chunkShape))
                        .with("codecs", new Json.Arr(List.of(codecs)))
                        .with("index_codecs", new Json.Arr(index.codecs()))
                        .with("index_location", Json.of(index.location().word())));
    }

    public static IndexEncoding defaultIndex() {
        return new IndexEncoding(List.of(bytesLittleEndian(), crc32c()), IndexLocation.END);
    }
}
