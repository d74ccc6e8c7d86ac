/**
 * One-dimensional arrays of a group as columns of a <a href="https://kotlin.github.io/dataframe/">Kotlin DataFrame</a>,
 * and back. Arrays with more dimensions are not columns. The functions are in Kotlin, in {@code Frames.kt}.
 */
@NullMarked
package dev.shardkit.dataframe;

import org.jspecify.annotations.NullMarked;
