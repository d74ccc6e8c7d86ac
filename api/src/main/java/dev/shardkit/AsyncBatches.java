package dev.shardkit;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A sequence of elements that is read in batches, without a thread that waits. For one caller at a time. */
@FunctionalInterface
public interface AsyncBatches<T> {
    /**
     * Reads the next batch. An empty batch means that all elements have been read. Call this method again only after
     * the future is done. A caller that makes no further call leaves nothing open.
     */
    CompletableFuture<List<T>> next();
}
