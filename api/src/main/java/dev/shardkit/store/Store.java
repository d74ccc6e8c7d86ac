package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where keys have values (Zarr core specification, section "Stores"). Keys are {@code a/b/zarr.json}: names with single
 * slashes, none at the ends, no {@code .} or {@code ..}. A store is one of two kinds: {@link BlockingStore} for what is
 * near, {@link AsyncStore} for what is far. Thread-safe.
 */
public sealed interface Store extends AutoCloseable permits BlockingStore, AsyncStore {
    /** Where it is, for messages; never with a secret in it. */
    String describe();

    /** How reads are best merged. */
    MergePolicy mergePolicy();

    /**
     * What the value under {@code key} is made of, if that can be told without asking: parts of larger objects, one
     * behind the other. Neighbouring reads of one object are then merged, whatever keys they belong to. Empty, the
     * default, if it is an object of its own, or nothing. Reading {@code key} gives the same bytes.
     */
    default Optional<List<ObjectPart>> parts(String key) {
        return Optional.empty();
    }

    /**
     * Names what lies directly below {@code prefix} (empty for the root), in no order; what starts with "__" is left
     * out. By default a store cannot.
     */
    default void list(String prefix, Consumer<Entry> entries) throws IOException {
        throw new UnsupportedException("store " + describe() + " cannot list");
    }

    /** Lets go of what it holds. Using it afterwards is the caller's mistake. */
    @Override
    default void close() {}
}
