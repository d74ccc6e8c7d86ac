/**
 * The metadata of arrays and groups (Zarr core specification 3.1): the model, a reader and a writer. It reads no store:
 * documents come in as JSON. Plug-ins are in {@code registry}.
 */
@NullMarked
package dev.shardkit.metadata;

import org.jspecify.annotations.NullMarked;
