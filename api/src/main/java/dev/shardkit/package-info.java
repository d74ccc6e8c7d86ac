/**
 * Reads and writes Zarr v3 arrays and groups. Copies, checks and changes of layout are in
 * {@code dev.shardkit.maintenance}. The artifact {@code shardkit-kotlin} adds functions for Kotlin.
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
 *   <li><b>Open and create:</b> {@link dev.shardkit.Zarr}; {@link dev.shardkit.ArraySpec} and
 *       {@link dev.shardkit.Codecs} describe a new array; {@link dev.shardkit.StagedArray} appears to readers when it
 *       is complete.
 *   <li><b>Nodes:</b> {@link dev.shardkit.ZarrArray} and {@link dev.shardkit.ZarrGroup} implement
 *       {@link dev.shardkit.ZarrNode}.
 *   <li><b>Elements:</b> {@link dev.shardkit.NdArray} in memory, {@link dev.shardkit.DecodedInnerChunk} from a stream,
 *       {@link dev.shardkit.spi.array.Target} and {@link dev.shardkit.spi.array.Feed} for regions of any size.
 *   <li><b>Writing:</b> {@link dev.shardkit.Transaction} for many small writes, {@link dev.shardkit.SliceWriter} with
 *       {@link dev.shardkit.SliceOptions} for slices that arrive one by one, {@link dev.shardkit.Shards} to divide an
 *       array among workers.
 *   <li><b>Existing chunks:</b> {@link dev.shardkit.ChunkPresence} and {@link dev.shardkit.ChunkBitmap};
 *       {@link dev.shardkit.NonemptyChunksAttribute} for the {@code nonempty_chunks} attribute;
 *       {@link dev.shardkit.ArrayStorage} for the layout of shards.
 *   <li><b>Selections:</b> {@link dev.shardkit.ZarrView} selects elements by index, range, list, mask or name of a
 *       dimension; {@link dev.shardkit.ZarrPoints} single elements.
 *   <li><b>Attributes:</b> {@link dev.shardkit.ZarrNode#attributes(Class)} and
 *       {@link dev.shardkit.ZarrNode#replaceAttributes(Object)} map them to records and data classes.
 *       {@link dev.shardkit.spi.json.Json} holds JSON, {@link dev.shardkit.metadata.JsonDocuments} parses and prints
 *       it.
 *   <li><b>Options:</b> {@link dev.shardkit.ZarrOptions}, with {@link dev.shardkit.store.policy.ShardReadPolicy},
 *       {@link dev.shardkit.spi.codec.ShardWritePolicy}, {@link dev.shardkit.store.policy.Durability} and
 *       {@link dev.shardkit.store.policy.WriteOwnership}. {@code ArraySpec} and all options are immutable;
 *       {@code withX} returns a changed copy.
 * </ul>
 *
 * <p>Metadata is in {@link dev.shardkit.metadata}, plug-ins in {@link dev.shardkit.registry}, stores in
 * {@link dev.shardkit.store}, interfaces for plug-ins in {@link dev.shardkit.spi}, errors in
 * {@link dev.shardkit.spi.error}. All nodes, readers and writers are thread-safe; the other types are immutable unless
 * their documentation says otherwise.
 *
 * <p>The <a href="https://github.com/shardkit/shardkit/tree/main/docs/guide">guide</a> has a page for each task, and <a
 * href="https://github.com/shardkit/shardkit/blob/main/docs/stability.md">what is stable</a> says which packages are
 * API and which may change.
 */
@NullMarked
package dev.shardkit;

import org.jspecify.annotations.NullMarked;
