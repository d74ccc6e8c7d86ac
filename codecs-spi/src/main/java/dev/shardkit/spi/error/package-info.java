/**
 * The closed set of errors, and the place in a shard that they name.
 *
 * <p>All of them extend {@link dev.shardkit.spi.error.ZarrException}. The subclass tells what helps: other metadata,
 * another plug-in, a retry, or nothing, since the stored data is corrupt.
 */
@NullMarked
package dev.shardkit.spi.error;

import org.jspecify.annotations.NullMarked;
