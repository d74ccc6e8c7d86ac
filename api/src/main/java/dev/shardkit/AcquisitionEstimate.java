package dev.shardkit;

/**
 * The memory that an {@link Acquisition} will need, in bytes, as far as it can be predicted from its settings. Does not
 * predict its frame rate or the number of stored bytes. Immutable.
 *
 * @param streams the number of streams, one for each shard across the dimension that the streams append to
 * @param framesPerSlice the number of frames in a slice of a stream
 * @param stream the memory of one stream, which gets a part of the whole budget
 * @param heapBytes the largest number of bytes in Java arrays, of all streams
 * @param directBytes the largest number of bytes in direct buffers, outside the heap, of all streams, including the
 *     frames of their windows; if the JVM has no more direct memory, buffers are allocated on the heap instead
 */
public record AcquisitionEstimate(
        long streams, long framesPerSlice, SliceEstimate stream, long heapBytes, long directBytes) {}
