/**
 * Maintenance of stored arrays, a package for each kind: {@code check} (faults and repairs), {@code compare},
 * {@code concat} (joining arrays, adopting files), {@code copy} (copies, moves, formats), {@code layout} (what shards
 * an array should have), {@code relayout} (giving it others), {@code stats} and {@code tree} (the places of nodes).
 * Here is only what several of them use in their signatures.
 */
@NullMarked
package dev.shardkit.maintenance;

import org.jspecify.annotations.NullMarked;
