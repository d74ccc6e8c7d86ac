/** The {@code bitround} codec: rounds numbers to fewer significant bits, so that they compress better. */
@NullMarked
package dev.shardkit.codec.bitround;

import org.jspecify.annotations.NullMarked;
