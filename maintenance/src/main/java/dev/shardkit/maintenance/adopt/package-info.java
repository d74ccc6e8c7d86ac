/**
 * Adoption of files: {@link dev.shardkit.maintenance.adopt.Adoption} turns a file of another format, such as HDF5, into
 * a shard of an array without copying a chunk.
 */
@NullMarked
package dev.shardkit.maintenance.adopt;

import org.jspecify.annotations.NullMarked;
