/** The {@code packbits} codec: stores elements of any number of bits without gaps. */
@NullMarked
package dev.shardkit.codec.packbits;

import org.jspecify.annotations.NullMarked;
