/** The {@code numcodecs.shuffle} codec. */
@NullMarked
package dev.shardkit.codec.shuffle;

import org.jspecify.annotations.NullMarked;
