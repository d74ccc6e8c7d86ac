/**
 * Exchanges arrays with other programs by files. {@link dev.shardkit.files.Export} writes npy, npz, CSV, PNG and TIFF
 * files, and {@link dev.shardkit.files.ImportSource} reads npy, raw, PNG and TIFF files. Both work in pieces, so arrays
 * of any size need little memory.
 *
 * <p>The JDK's ImageIO reads images. TIFF is written by code of this package: the JDK's writer knows no BigTIFF, and
 * all writers of ImageIO need an output to seek in and AWT's images, which lack most data types.
 */
@NullMarked
package dev.shardkit.files;

import org.jspecify.annotations.NullMarked;
