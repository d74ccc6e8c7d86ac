/**
 * The entropy coding of Zstandard (RFC 8878, section 4), in both directions: Huffman and FSE tables, and the bits that
 * they read and write. Blocks, literals and sequences are in {@code decoder} and {@code encoder}. Not exported.
 */
@NullMarked
package dev.shardkit.codec.zstd.entropy;

import org.jspecify.annotations.NullMarked;
