/**
 * The stored chunks of an array that a region touches: their keys, their plans, the stored shape. The operations are in
 * packages of their own: {@code read}, {@code write}, {@code resize}, {@code selection}, {@code slices}. Not exported
 * to users.
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
 * ({@code GrowthClearing}). A stream that appends covers the new elements itself; one that leaves a gap or is narrower
 * than the array clears what it does not cover. Without locks, two writers may grow an array at once: a chunk is
 * changed only if it is the version that was read and the array still has the old shape after this read. A writer that
 * makes the array longer does so before it stores elements there, so none of them is removed.
 *
 * <p><b>Stored shape.</b> A handle keeps the metadata that it was opened with and reads by them. Before it writes, it
 * compares the version of the document and reads the document again if it changed ({@code StoredShapeCheck}): a deleted
 * or re-encoded array is refused, a resized one is written in its stored shape. A resize refuses to remove elements
 * that the handle does not know of.
 */
@NullMarked
package dev.shardkit.region;

import org.jspecify.annotations.NullMarked;
