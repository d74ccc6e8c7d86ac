/** JMH benchmarks of the kernels: what one inner chunk costs, step by step. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.kernel;

import org.jspecify.annotations.NullMarked;
