/**
 * Bytes in the inner loops of shardkit's own codecs: little-endian words, copies of matches, output that grows up to a
 * bound, a hash. Interfaces of codecs are in {@link dev.shardkit.spi.codec}. Exported only to those codecs.
 */
@NullMarked
package dev.shardkit.spi.bytes;

import org.jspecify.annotations.NullMarked;
