/** The block format of Snappy, which blosc uses: kernels for byte arrays, in plain Java. */
@NullMarked
package dev.shardkit.codec.snappy;

import org.jspecify.annotations.NullMarked;
