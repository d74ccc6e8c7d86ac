/**
 * Joining several arrays into one: {@link dev.shardkit.maintenance.concat.Concatenation} copies or moves their chunks,
 * and {@link dev.shardkit.maintenance.concat.VirtualConcatenation} refers to them. {@code copy} copies single arrays.
 */
@NullMarked
package dev.shardkit.maintenance.concat;

import org.jspecify.annotations.NullMarked;
