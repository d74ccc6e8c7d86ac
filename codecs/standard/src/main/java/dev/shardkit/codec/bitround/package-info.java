/** The {@code bitround} codec: numbers of fewer significant bits. */
@NullMarked
package dev.shardkit.codec.bitround;

import org.jspecify.annotations.NullMarked;
