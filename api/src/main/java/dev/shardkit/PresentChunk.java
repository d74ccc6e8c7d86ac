package dev.shardkit;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import java.util.Arrays;
import java.util.Optional;

/**
 * A chunk that {@link ChunkPresence} has found without reading its elements: an inner chunk of a shard, or a stored
 * object if the array has no shards or {@linkplain ChunkPresence#atLevel level 0} was requested. Immutable.
 *
 * @param cell its coordinates in the grid that the chunks of its level form over the whole array
 * @param box its box, clipped to the array
 * @param key the key of the object that contains it
 * @param extent its byte range in that object; empty if a codec around the shard encodes chunks together
 * @param size its encoded size in bytes
 */
public record PresentChunk(long[] cell, Box box, String key, Optional<Extent> extent, long size) {
    /** Copies {@code cell}. */
    public PresentChunk {
        cell = cell.clone();
    }

    @Override
    public long[] cell() {
        return cell.clone();
    }

    /** Compares all components. */
    @Override
    public boolean equals(Object other) {
        return other instanceof PresentChunk c
                && Arrays.equals(cell, c.cell)
                && box.equals(c.box)
                && key.equals(c.key)
                && extent.equals(c.extent)
                && size == c.size;
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Arrays.hashCode(cell);
    }

    @Override
    public String toString() {
        return Arrays.toString(cell) + " " + box + " in " + key
                + extent.map(e -> ", bytes " + e.offset() + " to " + (e.offset() + e.size()))
                        .orElse(", " + size + " bytes");
    }
}
