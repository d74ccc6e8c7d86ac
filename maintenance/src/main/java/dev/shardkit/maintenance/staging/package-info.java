/**
 * The staging and the swap of a {@link dev.shardkit.maintenance.publish.Publication} at an existing array: new objects
 * wait beside its old ones and are put in their place, so that a crash at any moment leaves the old array or the new
 * one. Which layout is wanted is in {@code layout}; the changes that users call are in {@code relayout}.
 *
 * <p>Two layouts want the same keys, and no store can change many keys at once. So new objects wait in
 * {@code ARRAY/__relayout} until all are there and the old ones are unchanged. {@code LayoutSwap} then gives each new
 * object a second key, in the other chunk key encoding, which the old array does not use; one put of the document is
 * the moment of change. The document tells which step is due, so every step can be repeated. A replacement of all
 * elements works in a similar way, without second keys: its chunks are stored under the keys of another encoding, and a
 * record says whether it was committed.
 *
 * <p>An array is seen as a stack of levels: stored chunks, inner chunks, their inner chunks. The sharding codec
 * describes each level ({@link dev.shardkit.spi.codec.ArrayToBytesCodec#sharding}), and so does a storage transformer
 * that packs chunks into shards ({@link dev.shardkit.spi.codec.StorageTransformer#packing}); maintenance parses no
 * configuration. A unit with the same shape and codecs in both layouts moves as encoded bytes; only transpose and
 * elementwise codecs may come before shards for that, because they treat a part like the whole. The rest is decoded and
 * encoded in slabs of limited size ({@code UnitRecoder}).
 */
@NullMarked
package dev.shardkit.maintenance.staging;

import org.jspecify.annotations.NullMarked;
