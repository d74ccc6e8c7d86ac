/** The {@code scale_offset} codec: subtracts an offset from numbers and scales them within their type. */
@NullMarked
package dev.shardkit.codec.scaleoffset;

import org.jspecify.annotations.NullMarked;
