/**
 * Codecs of the Python library numcodecs, under the {@code numcodecs.*} names that zarr-python writes: filters of
 * numbers, checksums, JSON, and the factories of all codecs of this module. The larger formats have packages of their
 * own, {@code dev.shardkit.codec.bzip2} and {@code dev.shardkit.codec.lzma}.
 */
@NullMarked
package dev.shardkit.codec.numcodecs;

import org.jspecify.annotations.NullMarked;
