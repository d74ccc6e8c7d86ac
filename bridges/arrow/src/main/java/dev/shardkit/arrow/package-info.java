/**
 * One-dimensional arrays of a group as columns of <a href="https://arrow.apache.org">Apache Arrow</a>, and back.
 *
 * <p>{@link dev.shardkit.arrow.ZarrTable} is the way in.
 */
@NullMarked
package dev.shardkit.arrow;

import org.jspecify.annotations.NullMarked;
