/**
 * Which elements of an array a caller selects: steps and lists of indices for each dimension, and lists of points. Maps
 * elements of the array to their place in the result. Knows neither chunks nor stores.
 */
@NullMarked
package dev.shardkit.selection;

import org.jspecify.annotations.NullMarked;
