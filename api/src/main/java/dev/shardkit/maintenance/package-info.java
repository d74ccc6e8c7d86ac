/**
 * Stored arrays looked after: {@link dev.shardkit.maintenance.Verification} finds what is wrong with shards and chunks.
 */
@NullMarked
package dev.shardkit.maintenance;

import org.jspecify.annotations.NullMarked;
