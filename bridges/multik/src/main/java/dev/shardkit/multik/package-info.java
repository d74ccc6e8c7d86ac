/**
 * Elements of arrays as NDArrays of Multik, and back. Arrays are opened and created in {@code dev.shardkit}. The
 * functions are in Kotlin, in {@code Multik.kt}.
 */
@NullMarked
package dev.shardkit.multik;

import org.jspecify.annotations.NullMarked;
