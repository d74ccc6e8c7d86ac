/**
 * Regions of an array as plans and changes of its stored chunks: reads, writes, resizes and streams of slices. Not
 * exported to users.
 *
 * <p><b>Holes.</b> The input of a write is a {@link dev.shardkit.spi.array.Feed}, which may have holes
 * ({@link dev.shardkit.spi.array.Coverage}). In a hole, stored elements are kept, and inner chunks that lie entirely in
 * holes are not read. So every operation makes one edit for each stored chunk. A transaction is a feed of staged parts,
 * of which later ones cover earlier ones. Erasing is a feed of the fill value; it visits only the chunks that the store
 * lists, and reads and encodes no chunk that it covers whole. A resize writes the fill value to the parts of edge
 * chunks outside the new shape, and outside the old one if they hold anything else.
 *
 * <p><b>Growing.</b> An array that another program has shrunk may hold elements beyond its shape. Nothing in the array
 * tells, so each growth reads the chunks on the old edge and clears them before the shape changes
 * ({@code NewElements}). A stream that appends covers the new elements itself; one that leaves a gap or is narrower
 * than the array clears what it does not cover. Without locks, two writers may grow an array at once: a chunk is
 * changed only if it is the version that was read and the array still has the old shape after this read. A writer that
 * makes the array longer does so before it stores elements there, so none of them is removed.
 *
 * <p><b>Streams.</b> A stream that makes its array longer writes slices first and the length afterwards, so readers
 * never see missing slices. In stores with conditional puts and without locks it is the other way round: the stream
 * first reserves its place by the new length, and readers see the fill value until the slices are stored. Calls of one
 * stream run one after the other, and a call ends before its future completes, so callbacks may wait for the stream.
 * Slices wait in memory up to a budget; an edit is in memory until it is carried out, so writes in place and appends
 * are split into tiles of about a quarter of the budget. A pipeline ({@code SlicePipeline}) encodes layers of inner
 * chunks in the background and stages them in the store ({@code StagedShards}); its shards are stored by the same
 * changes as other writes, from a feed that has the inner chunks in encoded form ({@code LayersFeed}).
 *
 * <p><b>Stored shape.</b> A handle keeps the metadata that it was opened with and reads by them. Before it writes, it
 * compares the version of the document and reads the document again if it changed ({@code StoredShape}): a deleted or
 * re-encoded array is refused, a resized one is written in its stored shape. A resize refuses to remove elements that
 * the handle does not know of.
 */
@NullMarked
package dev.shardkit.region;

import org.jspecify.annotations.NullMarked;
