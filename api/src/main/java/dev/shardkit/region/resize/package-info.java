/**
 * Changes of an array's shape: elements that it gains read as the fill value, elements that it loses are removed. Not
 * exported to users.
 */
@NullMarked
package dev.shardkit.region.resize;

import org.jspecify.annotations.NullMarked;
