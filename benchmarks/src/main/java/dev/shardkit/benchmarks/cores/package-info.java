/** Measures how the rate of reads scales with the number of workers. */
@NullMarked
package dev.shardkit.benchmarks.cores;

import org.jspecify.annotations.NullMarked;
