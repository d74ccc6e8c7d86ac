package dev.shardkit.store;

import dev.shardkit.spi.StoreKeys;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Lists the prefixes of {@link BlockingListings} one after the other. Used by one thread at a time. */
final class BlockingWalk implements Listings.Names {
    private final BlockingListings store;
    private final String root;
    private final Listings.Depth depth;
    /** The prefixes that are still to be listed, relative to the root. */
    private final Deque<String> pending = new ArrayDeque<>();

    BlockingWalk(BlockingListings store, String prefix, Listings.Depth depth) {
        this.store = store;
        this.root = prefix;
        this.depth = depth;
        pending.push("");
    }

    @Override
    public CompletionStage<List<Entry>> next() {
        List<Entry> batch = new ArrayList<>();
        try {
            while (batch.isEmpty() && !pending.isEmpty()) {
                String prefix = pending.pop();
                store.list(StoreKeys.join(root, prefix), entry -> addEntry(prefix, entry, batch));
            }
            return CompletableFuture.completedFuture(batch);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Adds an entry to the batch. A prefix is listed later instead, if the whole tree is listed. */
    private void addEntry(String prefix, Entry entry, List<Entry> batch) {
        String name = StoreKeys.join(prefix, entry.name());
        if (depth == Listings.Depth.ALL && entry.kind() == Entry.Kind.PREFIX) {
            pending.push(name);
        } else {
            batch.add(new Entry(name, entry.kind(), entry.size(), entry.version()));
        }
    }
}
