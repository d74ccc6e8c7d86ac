/** The {@code bytes} codec. */
@NullMarked
package dev.shardkit.codec.bytes;

import org.jspecify.annotations.NullMarked;
