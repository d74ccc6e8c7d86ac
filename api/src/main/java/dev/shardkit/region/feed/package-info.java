/**
 * The elements of a write as feeds: parts, the fill value, padding at the array's edge, staged shards. Writes are in
 * {@code write}. Not exported to users.
 */
@NullMarked
package dev.shardkit.region.feed;

import org.jspecify.annotations.NullMarked;
