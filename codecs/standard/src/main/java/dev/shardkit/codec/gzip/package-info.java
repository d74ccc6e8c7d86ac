/** The {@code gzip} codec. */
@NullMarked
package dev.shardkit.codec.gzip;

import org.jspecify.annotations.NullMarked;
