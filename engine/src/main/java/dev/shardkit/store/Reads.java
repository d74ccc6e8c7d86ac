package dev.shardkit.store;

import java.util.List;
import java.util.Optional;

/**
 * How the objects of a store are read, which depends on how far they are: {@link NearReads} for files and memory,
 * {@link FarReads} where latency counts. Thread-safe.
 */
public sealed interface Reads permits NearReads, FarReads {
    /** How reads are best merged, asked again and again: a store learns. */
    MergePolicy mergePolicy();

    /**
     * What the value under {@code key} is made of, if that can be told without asking: parts of larger objects, one
     * behind the other. Neighbouring reads of one object are then merged, whatever keys they belong to. Empty, the
     * default, if it is an object of its own, or nothing. Reading {@code key} gives the same bytes.
     */
    default Optional<List<ObjectPart>> parts(String key) {
        return Optional.empty();
    }
}
