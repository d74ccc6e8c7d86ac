/** Arrays from and to npy, npz, CSV, PNG, TIFF and raw files. */
@NullMarked
package dev.shardkit.files;

import org.jspecify.annotations.NullMarked;
