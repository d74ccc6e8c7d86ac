/** The metadata of arrays and groups (Zarr core specification 3.1): the model, a reader and a writer. */
@NullMarked
package dev.shardkit.metadata;

import org.jspecify.annotations.NullMarked;
