/**
 * Arrays and groups of a Zarr v3 hierarchy, for Java and Kotlin: open or create one, read and write regions of it.
 *
 * <pre>{@code
 * ArraySpec spec = ArraySpec.of("uint16", 512, 512)
 *         .withChunkShape(32, 32)    // inner chunks: the smallest unit of a read
 *         .withShardShape(256, 256); // shards: one stored object each
 * try (ZarrArray array = Zarr.createArray("image.zarr", spec)) {
 *     Box box = Box.of(new long[] {0, 0}, new long[] {16, 16}); // origin, shape
 *     array.write(box, new short[16 * 16], 0);
 *     NdArray region = array.read(box);
 * }
 * }</pre>
 *
 * <h2>Where to look</h2>
 *
 * <ul>
 *   <li><b>Open and create:</b> {@link dev.shardkit.Zarr}, {@link dev.shardkit.ArraySpec}, {@link dev.shardkit.Codecs}.
 *   <li><b>Nodes:</b> {@link dev.shardkit.ZarrArray}, {@link dev.shardkit.ZarrGroup}; {@link dev.shardkit.ZarrNode} is
 *       either.
 *   <li><b>Elements:</b> {@link dev.shardkit.NdArray} in memory, {@link dev.shardkit.InnerChunk} from a stream.
 *   <li><b>Writing:</b> {@link dev.shardkit.Transaction} for many small writes, {@link dev.shardkit.SliceWriter} for
 *       slices that arrive one by one, {@link dev.shardkit.Shards} to divide an array among workers.
 *   <li><b>Which chunks exist:</b> {@link dev.shardkit.ChunkPresence}, {@link dev.shardkit.ChunkBitmap}.
 *   <li><b>Options:</b> {@link dev.shardkit.ZarrOptions}, with {@link dev.shardkit.store.ReadPolicy} and
 *       {@link dev.shardkit.store.Ownership}.
 * </ul>
 *
 * <p>Stores are in {@link dev.shardkit.store}, plug-in points in {@link dev.shardkit.spi}, errors in
 * {@link dev.shardkit.spi.error}. All handles are thread-safe; everything else here is immutable unless it says so.
 */
@NullMarked
package dev.shardkit;

import org.jspecify.annotations.NullMarked;
