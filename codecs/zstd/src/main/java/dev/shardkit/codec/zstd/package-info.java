/** The {@code zstd} codec. The decoder and the encoder of its frames are in {@code dev.shardkit.codec.zstd.frame}. */
@NullMarked
package dev.shardkit.codec.zstd;

import org.jspecify.annotations.NullMarked;
