/** Summaries of an array's elements: numbers, minimum and maximum, mean, histograms; in parts by several processes. */
@NullMarked
package dev.shardkit.maintenance.stats;

import org.jspecify.annotations.NullMarked;
