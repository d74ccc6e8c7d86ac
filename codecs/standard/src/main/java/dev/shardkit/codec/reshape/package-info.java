/** The {@code reshape} codec: the same elements, in the same order, in another shape. */
@NullMarked
package dev.shardkit.codec.reshape;

import org.jspecify.annotations.NullMarked;
