/** The {@code vlen-utf8} and {@code vlen-bytes} codecs: store elements of varying size, each after its length. */
@NullMarked
package dev.shardkit.codec.vlen;

import org.jspecify.annotations.NullMarked;
