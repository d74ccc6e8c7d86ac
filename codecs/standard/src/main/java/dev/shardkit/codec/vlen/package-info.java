/** The {@code vlen-utf8} and {@code vlen-bytes} codecs: elements of varying size, each behind its length. */
@NullMarked
package dev.shardkit.codec.vlen;

import org.jspecify.annotations.NullMarked;
