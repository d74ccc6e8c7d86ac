/**
 * A program that measures shardkit beside its baseline: plain Java loops over the same files. Not for use as a library.
 */
@NullMarked
package dev.shardkit.benchmarks.baseline;

import org.jspecify.annotations.NullMarked;
