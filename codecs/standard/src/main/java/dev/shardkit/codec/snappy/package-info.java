/** The block format of Snappy, as blosc holds it: kernels over byte arrays, in plain Java. */
@NullMarked
package dev.shardkit.codec.snappy;

import org.jspecify.annotations.NullMarked;
