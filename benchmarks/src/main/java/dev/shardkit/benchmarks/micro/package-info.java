/** Microbenchmarks (JMH): the cost of one inner chunk, step by step. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
