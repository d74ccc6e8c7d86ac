/**
 * The files that an export writes, a class for each format: npy, CSV, PNG, TIFF. {@code dev.shardkit.files.Export}
 * chooses the format and reads the array. Not exported.
 */
@NullMarked
package dev.shardkit.files.export;

import org.jspecify.annotations.NullMarked;
