/**
 * An encoder of Zstandard frames in plain Java: it finds matches, and writes literals and sequences. Tables of symbols
 * are in {@code entropy}. Exported only to the codec blosc, which holds frames.
 */
@NullMarked
package dev.shardkit.codec.zstd.encoder;

import org.jspecify.annotations.NullMarked;
