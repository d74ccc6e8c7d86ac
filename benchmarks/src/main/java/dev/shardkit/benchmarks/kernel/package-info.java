/** JMH benchmarks of the kernels: the cost of one inner chunk, step by step. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.kernel;

import org.jspecify.annotations.NullMarked;
