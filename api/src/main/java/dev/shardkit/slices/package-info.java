/**
 * What the options and the listener of a stream of slices say: techniques and the queue. The stream is
 * {@code dev.shardkit.SliceWriter}, its inside {@code dev.shardkit.region.slices}.
 */
@NullMarked
package dev.shardkit.slices;

import org.jspecify.annotations.NullMarked;
