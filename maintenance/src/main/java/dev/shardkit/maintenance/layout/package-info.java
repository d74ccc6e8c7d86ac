/**
 * Choosing the layout of an array: requested shards, and advice by size and access. {@code relayout} changes the layout
 * of a stored array.
 */
@NullMarked
package dev.shardkit.maintenance.layout;

import org.jspecify.annotations.NullMarked;
