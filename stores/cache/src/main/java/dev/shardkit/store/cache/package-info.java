/**
 * A store that caches a remote store on disk. Applications open {@code cache:URL}, or wrap a store with
 * {@link dev.shardkit.store.cache.CachedStore}. Later reads, including those of other programs, fetch only bytes that
 * are missing or changed.
 */
@NullMarked
package dev.shardkit.store.cache;

import org.jspecify.annotations.NullMarked;
