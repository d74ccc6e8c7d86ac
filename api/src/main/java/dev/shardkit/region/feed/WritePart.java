package dev.shardkit.region.feed;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;

/**
 * A box of an array and the elements to store there: one part of a write. Immutable.
 *
 * @param box the box that it overwrites, in the array's coordinates
 * @param feed supplies the elements; its index zero is the box's origin
 */
public record WritePart(Box box, Feed feed) {
    /** Makes the part for a stored chunk from the chunk's number in the call and its cell. */
    public interface OfChunk {
        WritePart part(long i, long[] cell);
    }
}
