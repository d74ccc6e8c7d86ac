package dev.shardkit.metadata.creation;

import dev.shardkit.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a new array is divided into chunks, and the keys of the chunks. Null stands for the default.
 *
 * @param chunk the chunk shape; with shards, that of the inner chunks
 * @param shard the shard shape
 * @param grid a chunk grid other than the regular one
 * @param keys the chunk key encoding
 * @param transformers the storage transformers; the first one is nearest to the chunks
 */
public record Chunking(
        long @Nullable [] chunk,
        long @Nullable [] shard,
        @Nullable Json grid,
        @Nullable Json keys,
        List<Json> transformers) {}
