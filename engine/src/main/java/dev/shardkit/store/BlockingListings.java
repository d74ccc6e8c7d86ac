package dev.shardkit.store;

import java.io.IOException;
import java.util.function.Consumer;

/** {@link Listings} of a store whose calls block. Thread-safe. */
public interface BlockingListings extends Listings {
    /** Lists the objects and prefixes directly below {@code prefix} (empty for the root), in no order. */
    void list(String prefix, Consumer<Entry> entries) throws IOException;

    /** Lists by {@link #list(String, Consumer)}; each batch has the entries of one prefix. */
    @Override
    default Names list(String prefix, Depth depth) {
        return new BlockingWalk(this, prefix, depth);
    }
}
