/**
 * The driver for the comparison with other implementations in {@code benchmarks/lab}: a program that takes jobs as
 * lines of JSON. Not for use as a library.
 */
@NullMarked
package dev.shardkit.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
