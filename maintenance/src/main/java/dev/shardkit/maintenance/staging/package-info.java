/**
 * The staging and the swap of a {@link dev.shardkit.maintenance.publish.Publication} at an existing array: new objects
 * are staged beside the old ones and then replace them, so that a crash at any moment leaves the old array or the new
 * one. {@code layout} chooses the layout; the changes that users call are in {@code relayout}.
 *
 * <p>Both layouts need the same keys, and no store can change many keys at once. So new objects are staged in
 * {@code ARRAY/__relayout} until all exist and the old objects are unchanged. {@code LayoutSwap} then gives each new
 * object a second key, in the other chunk key encoding, which the old array does not use; one put of the document
 * switches the array. The document shows which step is next, so every step can be repeated. A replacement of all
 * elements works in a similar way, without second keys: its chunks are stored under the keys of another encoding, and a
 * record says whether it was committed.
 *
 * <p>An array has nesting levels: stored chunks, their inner chunks, and inner chunks of these. The sharding codec
 * describes each level ({@link dev.shardkit.spi.codec.ArrayToBytesCodec#sharding}), and so does a storage transformer
 * that packs chunks into shards ({@link dev.shardkit.spi.codec.StorageTransformer#packing}); maintenance parses no
 * configuration. A unit with the same shape and codecs in both layouts moves as encoded bytes; only transpose and
 * elementwise codecs may come before shards for that, because they encode a part in the same way as the whole. Other
 * units are decoded and encoded in slabs of limited size ({@code UnitRecoder}).
 */
@NullMarked
package dev.shardkit.maintenance.staging;

import org.jspecify.annotations.NullMarked;
