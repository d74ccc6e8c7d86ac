/**
 * The program of shardkit in the lab, the comparison with other implementations in {@code benchmarks/lab}: it takes
 * jobs as lines of JSON, as the programs of the others do. Not for use as a library.
 */
@NullMarked
package dev.shardkit.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
