/** The block format of LZ4, which blosc uses: kernels for byte arrays, in plain Java. */
@NullMarked
package dev.shardkit.codec.lz4;

import org.jspecify.annotations.NullMarked;
