/**
 * Code that the stores of this module share, and other stores of shardkit: keys, locks by key, listings. HTTP requests
 * are in {@code store.remote}.
 */
@NullMarked
package dev.shardkit.store.internal;

import org.jspecify.annotations.NullMarked;
