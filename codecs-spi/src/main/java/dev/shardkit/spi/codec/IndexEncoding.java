package dev.shardkit.spi.codec;

import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * The encoding and the location of a shard's index ({@code index_codecs} and {@code index_location} of the
 * {@code sharding_indexed} specification). Immutable, a value.
 *
 * @param codecs the codecs of the index as in metadata, in the order of encoding
 * @param location the location of the index in the shard
 */
public record IndexEncoding(List<Json> codecs, IndexLocation location) {
    /** Copies {@code codecs}. */
    public IndexEncoding {
        codecs = List.copyOf(codecs);
    }
}
