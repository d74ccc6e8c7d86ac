package dev.shardkit.metadata.creation;

import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the chunks of a new array are encoded. Null stands for the default.
 *
 * @param codecs the codecs of the chunks; with shards, those of the inner chunks
 * @param indexCodecs the codecs of the shard index
 * @param indexLocation the position of the index in a shard
 */
public record ChunkEncoding(
        @Nullable List<Json> codecs,
        @Nullable List<Json> indexCodecs,
        @Nullable IndexLocation indexLocation) {
    List<Json> codecsOrDefault() {
        return codecs != null ? codecs : List.of(DefaultCodecs.zstd(3));
    }

    IndexEncoding index() {
        IndexEncoding defaults = DefaultCodecs.defaultIndex();
        return new IndexEncoding(
                indexCodecs != null ? indexCodecs : defaults.codecs(),
                indexLocation != null ? indexLocation : defaults.location());
    }
}
