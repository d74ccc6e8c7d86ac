/** The closed family of errors, and the place in a shard that they name. */
@NullMarked
package dev.shardkit.spi.error;

import org.jspecify.annotations.NullMarked;
