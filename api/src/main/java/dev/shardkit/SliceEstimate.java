package dev.shardkit;

import dev.shardkit.slices.SliceStrategy;
import java.util.OptionalLong;

/**
 * How much memory a {@link SliceWriter} will need, in bytes, as far as it is known beforehand. Says nothing about its
 * rate or about the bytes that it stores. Immutable.
 *
 * @param strategy the strategy that the stream will use; never {@link SliceStrategy#AUTO}
 * @param heapBytes the largest number of bytes in Java arrays: slices, encoded inner chunks, and inner chunks that are
 *     being encoded
 * @param directBytes the largest number of bytes outside the heap: buffers of writes to files and, if a pipeline stages
 *     its shards in the store, its slices; if the JVM has no more memory outside the heap, slices lie on it
 * @param pipelineBytes a budget with which the stream is {@link SliceStrategy#PIPELINED}; empty if it never is
 * @param smoothBytes a budget for a smooth stream: it accepts a whole layer of slices (as many as an inner chunk is
 *     deep) while it encodes the layer before and, if shards are not staged in the store, a whole shard while it sends
 *     the shard before; empty if the stream is never pipelined
 */
public record SliceEstimate(
        SliceStrategy strategy,
        long heapBytes,
        long directBytes,
        OptionalLong pipelineBytes,
        OptionalLong smoothBytes) {}
