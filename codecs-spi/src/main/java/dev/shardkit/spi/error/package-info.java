/**
 * The closed set of errors, and the location in a shard that they name.
 *
 * <p>All of them extend {@link dev.shardkit.spi.error.ZarrException}. The subclass shows the remedy: other metadata,
 * another plug-in or a retry. Corrupt data have no remedy.
 */
@NullMarked
package dev.shardkit.spi.error;

import org.jspecify.annotations.NullMarked;
