/** The {@code bytes} codec: elements as they are, in either byte order. */
@NullMarked
package dev.shardkit.codec.bytes;

import org.jspecify.annotations.NullMarked;
