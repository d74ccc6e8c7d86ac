/**
 * Reads and writes the members of JSON objects, with errors that name the node and the member. Knows nothing of
 * OME-Zarr.
 */
@NullMarked
package dev.shardkit.ome.json;

import org.jspecify.annotations.NullMarked;
