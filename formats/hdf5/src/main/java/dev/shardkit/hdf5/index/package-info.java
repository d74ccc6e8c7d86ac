/**
 * The positions of a dataset's chunks: reads all kinds of chunk indexes. The walks of B-trees, which groups and heaps
 * use too, are in {@code dev.shardkit.hdf5.file}.
 */
@NullMarked
package dev.shardkit.hdf5.index;

import org.jspecify.annotations.NullMarked;
