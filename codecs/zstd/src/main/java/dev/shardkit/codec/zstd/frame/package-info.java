/**
 * A Zstandard frame (RFC 8878) as its decoder and its encoder both know it: what its header says, its checksum, errors
 * in it. Exported only to the codec blosc, which holds frames.
 */
@NullMarked
package dev.shardkit.codec.zstd.frame;

import org.jspecify.annotations.NullMarked;
