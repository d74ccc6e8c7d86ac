/**
 * Writes of a region: from the caller's elements to one change for each stored chunk. Changes of the shape are in
 * {@code resize}, streams in {@code slices}. Not exported to users.
 */
@NullMarked
package dev.shardkit.region.write;

import org.jspecify.annotations.NullMarked;
