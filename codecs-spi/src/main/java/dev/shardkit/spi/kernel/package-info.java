/**
 * Helpers for the inner loops of shardkit's own codecs: little-endian words by {@code VarHandle}, copies, and output
 * that grows up to a bound. Exported only to those codecs.
 */
@NullMarked
package dev.shardkit.spi.kernel;

import org.jspecify.annotations.NullMarked;
