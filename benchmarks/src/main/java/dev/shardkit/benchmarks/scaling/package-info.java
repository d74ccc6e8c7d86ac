/** A program that measures how the rate of reads scales with the number of workers. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
