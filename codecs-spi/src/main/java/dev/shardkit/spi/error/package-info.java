/**
 * The closed set of errors, and the place in a shard that they name.
 *
 * <p>All of them extend {@link dev.shardkit.spi.error.ZarrException}. The subclass shows the remedy: other metadata,
 * another plug-in or a retry. For corrupt data there is none.
 */
@NullMarked
package dev.shardkit.spi.error;

import org.jspecify.annotations.NullMarked;
