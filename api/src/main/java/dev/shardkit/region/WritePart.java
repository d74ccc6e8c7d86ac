package dev.shardkit.region;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;

/**
 * A part of a write. Immutable.
 *
 * @param box the box that it overwrites, in the array's coordinates
 * @param feed gives the elements; its index zero is the box's origin
 */
public record WritePart(Box box, Feed feed) {
    /** Gives the part for a stored chunk, by its number and cell. */
    public interface OfChunk {
        WritePart part(long i, long[] cell);
    }
}
