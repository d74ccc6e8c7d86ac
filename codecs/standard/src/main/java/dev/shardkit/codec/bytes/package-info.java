/** The {@code bytes} codec: stores elements unchanged, in either byte order. */
@NullMarked
package dev.shardkit.codec.bytes;

import org.jspecify.annotations.NullMarked;
