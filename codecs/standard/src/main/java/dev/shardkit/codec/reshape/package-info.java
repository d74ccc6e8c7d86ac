/** The {@code reshape} codec: stores the same elements in the same order with another shape. */
@NullMarked
package dev.shardkit.codec.reshape;

import org.jspecify.annotations.NullMarked;
