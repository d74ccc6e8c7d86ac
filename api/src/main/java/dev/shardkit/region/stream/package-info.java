/**
 * Streams of slices: the slices that a {@code SliceWriter} accepts, until they are stored. Writes of regions are in
 * {@code dev.shardkit.region}. Not exported to users.
 *
 * <p>{@link dev.shardkit.region.stream.SlicePlan} chooses a strategy, and
 * {@link dev.shardkit.region.stream.PendingSlices} is what all strategies have in common.
 * {@link dev.shardkit.region.stream.SliceBatches} collects slices and writes them in the caller's calls;
 * {@link dev.shardkit.region.stream.SlicePipeline} encodes and stores them in the background.
 * {@link dev.shardkit.region.stream.SlicePosition} finds the place of each batch in the array.
 *
 * <p><b>Order.</b> Calls of one stream run one after the other, and a call ends before its future completes, so
 * callbacks may wait for the stream.
 *
 * <p><b>Growing.</b> A stream that makes its array longer writes slices first and the length afterwards, so readers
 * never see missing slices. In stores with conditional puts and without locks it is the other way round: the stream
 * first reserves its place by the new length, and readers see the fill value until the slices are stored.
 *
 * <p><b>Memory.</b> Slices wait in memory up to a budget. An edit is in memory until it is carried out, so writes in
 * place and appends are split into tiles of about a quarter of the budget.
 *
 * <p><b>Staging.</b> A pipeline encodes layers of inner chunks ({@code SliceLayer}), each cut into columns
 * ({@code SliceColumns}), and stages them in the store ({@code StagedShards}). Its shards are stored by the same
 * changes as other writes, from a feed that has the inner chunks in encoded form ({@code LayersFeed}).
 */
@NullMarked
package dev.shardkit.region.stream;

import org.jspecify.annotations.NullMarked;
