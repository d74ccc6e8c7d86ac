/**
 * A store that caches the stored bytes of a remote store on disk. Decoded values are cached in memory, by the engine.
 * Applications open {@code cache:URL}, or wrap a store with {@link dev.shardkit.store.cache.CachedStore}. Later reads,
 * including those of other programs, fetch only bytes that are missing or changed.
 *
 * <p>A cached store trusts a version for half as long as the other store's {@code freshFor}, and reports that half to
 * the engine, because an answer from disk may rely on a version that was seen that long ago. Its merge policy has fixed
 * gaps, so the same read asks for the same ranges again. Reads of writers bypass it: a copy that is some seconds old
 * would lose updates under a lock. It has no thread: the folder is read on the caller's thread, and written on the
 * thread that brings an answer, before the answer is handed on.
 */
@NullMarked
package dev.shardkit.store.cache;

import org.jspecify.annotations.NullMarked;
