/**
 * The lab's driver: shardkit as a peer of the comparison in {@code benchmarks/lab}, a program that takes jobs as lines
 * of JSON. Not for use as a library.
 */
@NullMarked
package dev.shardkit.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
