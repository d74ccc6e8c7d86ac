/** The regular chunk grid and the chunk key encodings of the Zarr core specification. Other grids are plug-ins. */
@NullMarked
package dev.shardkit.spi.grid;

import org.jspecify.annotations.NullMarked;
