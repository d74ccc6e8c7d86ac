package dev.shardkit.store.cache;

/**
 * The counts of a cached store since it was opened. Immutable.
 *
 * @param hits reads that were answered from the folder alone, or after a check of the version
 * @param misses requests for bytes that the folder did not hold
 * @param checks requests for one byte, which show the version of an object
 * @param bytesFromCache bytes that came from the folder
 * @param bytesKept bytes that were added to the folder
 * @param damaged files that were damaged, and were removed
 * @param notCached answers that could not be cached, because the folder could not be written or has no room
 */
public record CacheMetrics(
        long hits, long misses, long checks, long bytesFromCache, long bytesKept, long damaged, long notCached) {}
