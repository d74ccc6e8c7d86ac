/** The {@code gzip} codec: compresses with the JDK's DEFLATE. */
@NullMarked
package dev.shardkit.codec.gzip;

import org.jspecify.annotations.NullMarked;
