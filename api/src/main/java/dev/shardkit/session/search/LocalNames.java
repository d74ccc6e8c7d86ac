package dev.shardkit.session.search;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Lists the names in folders of a local store, for node formats that need them.
 *
 * @param store the opened store
 * @param lister lists the entries directly below a prefix
 * @param location returns the location of a path, for errors
 */
public record LocalNames(Store store, BiConsumer<String, Consumer<Entry>> lister, UnaryOperator<String> location) {
    private static final int MAX_NAMES = 1 << 20;

    /** Returns the names directly below {@code prefix}; empty if the store is remote or cannot list. */
    public Optional<List<String>> below(String prefix) {
        if (!(store.reads() instanceof NearReads) || !store.can(Lists.class)) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        lister.accept(prefix, entry -> {
            if (names.size() == MAX_NAMES) {
                throw new UnsupportedException("expected at most " + MAX_NAMES + " names in a folder, found more")
                        .locate(Optional.of(location.apply(prefix)), Optional.empty(), Optional.empty());
            }
            names.add(entry.name());
        });
        return Optional.of(names);
    }
}
