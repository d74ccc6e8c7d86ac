/**
 * Exchanges arrays with other programs through files. {@link dev.shardkit.files.Export} writes npy, npz, CSV, PNG and
 * TIFF files, and {@link dev.shardkit.files.ImportSource} reads npy, raw, PNG and TIFF files. Both work in pieces, so
 * memory does not depend on the size of the array. {@link dev.shardkit.files.TiffReferences} refers to TIFF files
 * without a copy. The formats are in packages below this one, pictures to look at in {@code dev.shardkit.pictures}.
 *
 * <p>The JDK's ImageIO reads images. This package writes TIFF itself, because the JDK's writer does not support
 * BigTIFF, and all writers of ImageIO need a seekable output and AWT's images, which lack most data types.
 */
@NullMarked
package dev.shardkit.files;

import org.jspecify.annotations.NullMarked;
