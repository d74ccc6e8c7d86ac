/** A program that says how much memory reads take. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
