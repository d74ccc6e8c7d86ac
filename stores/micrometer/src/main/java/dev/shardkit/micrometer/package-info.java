/**
 * Counts requests, bytes and writes in a Micrometer registry. What the registry does with the numbers is up to the
 * application.
 *
 * <p>Give a {@link dev.shardkit.micrometer.MicrometerListener} to the options of an array, or to those of all arrays.
 */
@NullMarked
package dev.shardkit.micrometer;

import org.jspecify.annotations.NullMarked;
