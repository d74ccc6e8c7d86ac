/**
 * Selections of elements: steps and lists of indices for each dimension, and lists of points. Maps elements of the
 * array to their place in the result. Independent of chunks and stores.
 */
@NullMarked
package dev.shardkit.selection;

import org.jspecify.annotations.NullMarked;
