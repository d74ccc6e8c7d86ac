/** Nodes in other formats than Zarr v3, beside Zarr v3: read, created, converted and copied. */
@NullMarked
package dev.shardkit.it.formats;

import org.jspecify.annotations.NullMarked;
