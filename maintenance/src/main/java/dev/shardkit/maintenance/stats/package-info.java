/**
 * Summaries of an array's elements: numbers, minimum and maximum, mean, histograms; in parts by several processes. The
 * size of stored objects is in {@code tree}.
 */
@NullMarked
package dev.shardkit.maintenance.stats;

import org.jspecify.annotations.NullMarked;
