/**
 * One-dimensional arrays of a group as columns of <a href="https://arrow.apache.org">Apache Arrow</a>, and back. Arrays
 * with more dimensions are not columns.
 *
 * <p>Start with {@link dev.shardkit.arrow.ZarrTable}.
 *
 * <p>Elements are decoded into Arrow's memory where the bits are the same. The module depends on Arrow's {@code Unsafe}
 * allocator (10 kB), and not on the Netty allocator (1.2 MB).
 */
@NullMarked
package dev.shardkit.arrow;

import org.jspecify.annotations.NullMarked;
