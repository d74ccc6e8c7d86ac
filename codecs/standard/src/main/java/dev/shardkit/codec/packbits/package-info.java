/** The {@code packbits} codec: elements of any number of bits, one behind the other. */
@NullMarked
package dev.shardkit.codec.packbits;

import org.jspecify.annotations.NullMarked;
