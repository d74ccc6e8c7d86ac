/**
 * Helpers that several codecs share: bit and byte shuffles, and conversions of numbers. No codec is here. Exported only
 * to {@code dev.shardkit.codecs.numcodecs}.
 */
@NullMarked
package dev.shardkit.codec.support;

import org.jspecify.annotations.NullMarked;
