/**
 * What layout an array should have: its shards as users ask for them, and advice by size and access. To give a stored
 * array another layout is in {@code relayout}.
 */
@NullMarked
package dev.shardkit.maintenance.layout;

import org.jspecify.annotations.NullMarked;
