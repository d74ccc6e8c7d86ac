/**
 * Exchanges arrays with other programs by files. {@link dev.shardkit.files.Export} writes npy, npz, CSV, PNG and TIFF
 * files, and {@link dev.shardkit.files.ImportSource} reads npy, raw, PNG and TIFF files. Both work in pieces, so arrays
 * of any size need little memory.
 */
@NullMarked
package dev.shardkit.files;

import org.jspecify.annotations.NullMarked;
