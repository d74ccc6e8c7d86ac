/** The {@code sharding_indexed} codec. */
@NullMarked
package dev.shardkit.codec.sharding;

import org.jspecify.annotations.NullMarked;
