/**
 * DEFLATE (RFC 1951) and zlib (RFC 1950) streams: a decoder in plain Java, beside the JDK's {@code Inflater} and
 * {@code Deflater}. Not exported.
 */
@NullMarked
package dev.shardkit.codec.deflate;

import org.jspecify.annotations.NullMarked;
