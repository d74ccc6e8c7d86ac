/**
 * What the options and the listener of a stream of slices say: strategies and the backlog. The stream is
 * {@code dev.shardkit.SliceWriter}, its inside {@code dev.shardkit.region.stream}.
 */
@NullMarked
package dev.shardkit.slices;

import org.jspecify.annotations.NullMarked;
