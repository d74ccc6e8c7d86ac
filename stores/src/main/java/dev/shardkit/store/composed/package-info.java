/** Stores that are composed of others: groups, arrays and parts of arrays in stores of their own. */
@NullMarked
package dev.shardkit.store.composed;

import org.jspecify.annotations.NullMarked;
