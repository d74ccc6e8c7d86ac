/**
 * One-dimensional arrays of a group as columns of <a href="https://arrow.apache.org">Apache Arrow</a>, and back.
 *
 * <p>{@link dev.shardkit.arrow.ZarrTable} is the way in.
 *
 * <p>Elements are decoded into Arrow's memory where the bits are the same. Of Arrow's two allocators the module brings
 * that of {@code Unsafe}, which has 10 kB; the other brings the buffers of Netty (1.2 MB).
 */
@NullMarked
package dev.shardkit.arrow;

import org.jspecify.annotations.NullMarked;
