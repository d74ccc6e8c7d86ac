/** Elements of arrays as NDArrays of Multik, and back. The functions are in Kotlin, in {@code Multik.kt}. */
@NullMarked
package dev.shardkit.multik;

import org.jspecify.annotations.NullMarked;
