/**
 * The codecs {@code zstd}, {@code gzip} and {@code blosc} based on native zstd, libdeflate, lz4 and snappy.
 * aircompressor 3 contains these libraries and calls them through the foreign function API. To use them, put this jar
 * on the class path (JDK 25 or later) and pass {@code --enable-native-access=ALL-UNNAMED}. Their priority is higher
 * than that of the pure-Java codecs.
 *
 * <p>If the libraries cannot be loaded, the factories fail to load, a warning is logged once, and the pure-Java codecs
 * are used; {@code shardkit plugins} shows the reason. If a native kernel fails, the pure-Java codec repeats the work.
 * So limits, errors and accepted input are those of the pure-Java codecs.
 */
@NullMarked
package dev.shardkit.codec.ffm;

import org.jspecify.annotations.NullMarked;
