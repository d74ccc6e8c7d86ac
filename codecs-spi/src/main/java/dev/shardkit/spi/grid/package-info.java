/** The regular chunk grid and the chunk key encodings of the Zarr core specification. */
@NullMarked
package dev.shardkit.spi.grid;

import org.jspecify.annotations.NullMarked;
