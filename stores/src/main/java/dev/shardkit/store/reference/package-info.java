/**
 * The store of kerchunk's reference documents, whose objects are ranges of other files. The documents are created
 * elsewhere, for example in {@code dev.shardkit.hdf5}. Applications open {@code reference:DOCUMENT!PATH} to read chunks
 * directly from files of other formats. References lead only to the document's own folder or host unless the caller
 * allows more.
 */
@NullMarked
package dev.shardkit.store.reference;

import org.jspecify.annotations.NullMarked;
