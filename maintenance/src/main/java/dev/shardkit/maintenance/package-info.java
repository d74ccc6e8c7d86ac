/**
 * Maintenance of stored arrays, a package for each kind: {@code adopt} (files become shards), {@code check} (faults and
 * repairs), {@code compare}, {@code concat} (joining arrays), {@code convert} (other formats become Zarr v3),
 * {@code copy} (copies and moves), {@code layout} (choosing shards and chunks), {@code relayout} (changing the shards
 * and chunks of an array), {@code stats} and {@code tree} (nodes and their parents). This package has only the types
 * that several of them use in their signatures.
 */
@NullMarked
package dev.shardkit.maintenance;

import org.jspecify.annotations.NullMarked;
