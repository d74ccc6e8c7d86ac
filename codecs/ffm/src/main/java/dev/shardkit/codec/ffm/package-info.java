/**
 * The codecs {@code zstd}, {@code gzip} and {@code blosc} over native zstd, libdeflate, lz4 and snappy, which
 * aircompressor 3 brings and binds by foreign functions. To use them: this jar on the class path (JDK 25 or later) and
 * {@code --enable-native-access=ALL-UNNAMED}. They are chosen over the pure-Java ones by their priority.
 *
 * <p>Where the libraries cannot be loaded, the factories fail to load, which {@code shardkit plugins} shows with the
 * reason, a warning is logged once, and the pure-Java codecs are used. What the native kernels fail at, the pure-Java
 * ones do again: so limits, errors and what is accepted are theirs.
 */
@NullMarked
package dev.shardkit.codec.ffm;

import org.jspecify.annotations.NullMarked;
