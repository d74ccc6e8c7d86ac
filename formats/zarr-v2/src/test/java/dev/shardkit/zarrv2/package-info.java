/** Tests of Zarr v2. */
@NullMarked
package dev.shardkit.zarrv2;

import org.jspecify.annotations.NullMarked;
