/** The {@code conditional} codec: applies other codecs to those chunks only that they make smaller. */
@NullMarked
package dev.shardkit.codec.conditional;

import org.jspecify.annotations.NullMarked;
