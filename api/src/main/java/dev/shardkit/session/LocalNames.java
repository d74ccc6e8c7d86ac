package dev.shardkit.session;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Lists;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The names in folders of a local store, for node formats that need them.
 *
 * @param session the opened store
 */
record LocalNames(Session session) {
    private static final int MOST_NAMES = 1 << 20;

    /** Returns the names directly below {@code prefix}; empty if the store is remote or cannot list. */
    Optional<List<String>> below(String prefix) {
        if (!session.isNear() || !session.store().can(Lists.class)) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        session.list(prefix, entry -> {
            if (names.size() == MOST_NAMES) {
                throw new UnsupportedException("expected at most " + MOST_NAMES + " names in a folder, found more")
                        .locate(Optional.of(session.location(prefix)), Optional.empty(), Optional.empty());
            }
            names.add(entry.name());
        });
        return Optional.of(names);
    }
}
