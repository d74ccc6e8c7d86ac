/**
 * Parses the messages of object headers: data types, shapes, layouts, filters, fill values, attributes and links. How a
 * header is stored is in {@code dev.shardkit.hdf5.file}; what a message becomes in Zarr is in
 * {@code dev.shardkit.hdf5.dataset}.
 */
@NullMarked
package dev.shardkit.hdf5.message;

import org.jspecify.annotations.NullMarked;
