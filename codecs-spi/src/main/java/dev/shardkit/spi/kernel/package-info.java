/**
 * Helpers for the inner loops of shardkit's own codecs: little-endian words by {@code VarHandle}, copies, output that
 * grows up to a bound. Exported to those codecs only.
 */
@NullMarked
package dev.shardkit.spi.kernel;

import org.jspecify.annotations.NullMarked;
