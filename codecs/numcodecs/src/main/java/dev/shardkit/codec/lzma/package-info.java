/**
 * The formats xz, lzma and raw LZMA2 over the library xz: the codec {@code numcodecs.lzma}, its filters, and a bound of
 * the memory that a stream claims. Its factory is in {@code dev.shardkit.codec.numcodecs}. Not exported.
 */
@NullMarked
package dev.shardkit.codec.lzma;

import org.jspecify.annotations.NullMarked;
