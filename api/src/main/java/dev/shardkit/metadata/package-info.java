/**
 * The metadata of arrays and groups (Zarr core specification 3.1): the model, and apart from it reading and writing.
 */
@NullMarked
package dev.shardkit.metadata;

import org.jspecify.annotations.NullMarked;
