/**
 * Converts the documents of Zarr v2 (storage specification version 2) to documents of Zarr v3: {@code .zarray},
 * {@code .zgroup}, {@code .zattrs} and {@code .zmetadata}. Users need not call this package: the service loader finds
 * the format, and nodes open like those of Zarr v3. Filters and compressors become equivalent codecs. A filter without
 * an equivalent becomes the codec {@code numcodecs.<id>}. A plug-in can implement this codec.
 */
@NullMarked
package dev.shardkit.zarrv2;

import org.jspecify.annotations.NullMarked;
