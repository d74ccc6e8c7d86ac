/**
 * The names of objects: keys and locations, their checks, and locks by key. For all stores of shardkit; what is stored
 * under a key is not here.
 */
@NullMarked
package dev.shardkit.store.keys;

import org.jspecify.annotations.NullMarked;
