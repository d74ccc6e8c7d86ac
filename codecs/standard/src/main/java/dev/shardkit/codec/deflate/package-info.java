/**
 * DEFLATE (RFC 1951) and zlib (RFC 1950) streams: a decoder in plain Java, beside the JDK's {@code Inflater} and
 * {@code Deflater}. The codecs are in {@code dev.shardkit.codec.gzip} and {@code dev.shardkit.codec.zlib}. Exported
 * only to {@code dev.shardkit.codecs.ffm}.
 */
@NullMarked
package dev.shardkit.codec.deflate;

import org.jspecify.annotations.NullMarked;
