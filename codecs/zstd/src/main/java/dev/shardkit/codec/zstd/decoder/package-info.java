/**
 * A decoder of Zstandard frames in plain Java: no {@code Unsafe}, no native code. It parses headers, decodes blocks,
 * and reads dictionaries. Tables of symbols are in {@code entropy}. Exported only to the codec blosc, which holds
 * frames.
 */
@NullMarked
package dev.shardkit.codec.zstd.decoder;

import org.jspecify.annotations.NullMarked;
