package dev.shardkit.store;

import java.util.List;
import java.util.Optional;

/**
 * The interface through which the engine reads the objects of a store: {@link LocalReads} for local stores,
 * {@link RemoteReads} for remote ones. Thread-safe.
 */
public sealed interface Reads permits LocalReads, RemoteReads {
    /** Returns how to merge reads. The engine asks repeatedly, because a store may measure its latency. */
    MergePolicy mergePolicy();

    /**
     * Returns the parts of larger objects that form the value under {@code key}, in order, if they are known without a
     * request. The engine then merges neighbouring reads of one object, regardless of their keys. Reading {@code key}
     * gives the same bytes. Empty, the default, if the value is an object by itself or does not exist.
     */
    default Optional<List<ObjectPart>> parts(String key) {
        return Optional.empty();
    }
}
