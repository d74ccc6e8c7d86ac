/** The {@code cast_value} codec: stores numbers in another data type. */
@NullMarked
package dev.shardkit.codec.castvalue;

import org.jspecify.annotations.NullMarked;
