/**
 * Stores that are composed of others: groups, arrays and parts of arrays in stores of their own. Stores that change a
 * part of another one extend {@link dev.shardkit.store.ForwardingStore}.
 */
@NullMarked
package dev.shardkit.store.composed;

import org.jspecify.annotations.NullMarked;
