/** Arrays change their shards and chunks in place: nothing is lost, decoded without need, or left half-way. */
@NullMarked
package dev.shardkit.layout;

import org.jspecify.annotations.NullMarked;
