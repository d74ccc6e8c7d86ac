/**
 * One-dimensional arrays of a group as columns of a <a href="https://kotlin.github.io/dataframe/">Kotlin DataFrame</a>,
 * and back. The functions are in Kotlin, in {@code Frames.kt}.
 */
@NullMarked
package dev.shardkit.dataframe;

import org.jspecify.annotations.NullMarked;
