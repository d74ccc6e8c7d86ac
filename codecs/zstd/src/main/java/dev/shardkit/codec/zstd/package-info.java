/** The {@code zstd} codec. */
@NullMarked
package dev.shardkit.codec.zstd;

import org.jspecify.annotations.NullMarked;
