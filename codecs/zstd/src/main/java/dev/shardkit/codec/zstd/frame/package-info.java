/**
 * A decoder and an encoder of Zstandard frames (RFC 8878) in plain Java: no {@code Unsafe}, no native code. Not
 * exported.
 */
@NullMarked
package dev.shardkit.codec.zstd.frame;

import org.jspecify.annotations.NullMarked;
