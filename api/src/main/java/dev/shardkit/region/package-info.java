/**
 * Regions of an array as plans and changes of its stored chunks: reads, writes, resizes and streams of slices. Not
 * exported to users.
 */
@NullMarked
package dev.shardkit.region;

import org.jspecify.annotations.NullMarked;
