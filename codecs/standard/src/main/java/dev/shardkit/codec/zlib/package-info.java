/** The {@code numcodecs.zlib} codec. */
@NullMarked
package dev.shardkit.codec.zlib;

import org.jspecify.annotations.NullMarked;
