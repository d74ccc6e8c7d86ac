/**
 * Helpers that several codecs share: bit and byte shuffles, and conversions of numbers. No codec is here. Not exported.
 */
@NullMarked
package dev.shardkit.codec.support;

import org.jspecify.annotations.NullMarked;
