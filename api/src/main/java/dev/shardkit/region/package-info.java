/**
 * Regions of an array as changes and plans of its stored chunks: reading, writing, resizing, streams of slices. Not
 * exported to users.
 */
@NullMarked
package dev.shardkit.region;

import org.jspecify.annotations.NullMarked;
