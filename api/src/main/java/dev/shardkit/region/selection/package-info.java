/**
 * Reads and writes of selected elements of an array. {@code dev.shardkit.selection} says which elements; regions are in
 * {@code read} and {@code write}. Not exported to users.
 */
@NullMarked
package dev.shardkit.region.selection;

import org.jspecify.annotations.NullMarked;
