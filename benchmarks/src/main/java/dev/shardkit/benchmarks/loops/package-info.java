/** A program that measures shardkit beside plain Java loops. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.loops;

import org.jspecify.annotations.NullMarked;
