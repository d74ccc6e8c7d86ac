package dev.shardkit;

/**
 * How much memory an {@link Acquisition} will need, in bytes, as far as it is known beforehand. Says nothing about its
 * rate or about the bytes that it stores. Immutable.
 *
 * @param streams the number of streams: shards across the streams' dimension
 * @param framesPerSlice the number of frames in a slice of a stream
 * @param stream the memory of one stream, with its part of the budget
 * @param heapBytes the largest number of bytes in Java arrays, of all streams
 * @param directBytes the largest number of bytes outside the heap, of all streams, with the frames of their windows;
 *     these lie on the heap if the JVM has no more memory outside it
 */
public record AcquisitionEstimate(
        long streams, long framesPerSlice, SliceEstimate stream, long heapBytes, long directBytes) {}
