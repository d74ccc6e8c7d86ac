/** A program that measures the memory of reads. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
