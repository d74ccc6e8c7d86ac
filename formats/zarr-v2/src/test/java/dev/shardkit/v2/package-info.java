/** Tests of Zarr v2. */
@NullMarked
package dev.shardkit.v2;

import org.jspecify.annotations.NullMarked;
