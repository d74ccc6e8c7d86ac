/** The block format of LZ4, as blosc holds it: kernels over byte arrays, in plain Java. */
@NullMarked
package dev.shardkit.codec.lz4;

import org.jspecify.annotations.NullMarked;
