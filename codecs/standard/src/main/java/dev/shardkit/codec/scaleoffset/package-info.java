/** The {@code scale_offset} codec: numbers moved and scaled within their type. */
@NullMarked
package dev.shardkit.codec.scaleoffset;

import org.jspecify.annotations.NullMarked;
