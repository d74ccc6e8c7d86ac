/** Helpers that several codecs share. Not exported. */
@NullMarked
package dev.shardkit.codec.support;

import org.jspecify.annotations.NullMarked;
