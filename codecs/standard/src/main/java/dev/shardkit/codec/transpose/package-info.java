/** The {@code transpose} codec: stores dimensions in another order. */
@NullMarked
package dev.shardkit.codec.transpose;

import org.jspecify.annotations.NullMarked;
