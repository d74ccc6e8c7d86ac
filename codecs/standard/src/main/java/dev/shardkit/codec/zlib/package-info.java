/** The {@code numcodecs.zlib} codec: compresses with the JDK's DEFLATE, in the zlib format. */
@NullMarked
package dev.shardkit.codec.zlib;

import org.jspecify.annotations.NullMarked;
