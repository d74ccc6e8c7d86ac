package dev.shardkit.store.cache;

import dev.shardkit.store.Prunes;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Removes trees of a store, and drops the cached copies of their objects. Thread-safe. */
record DroppingPrunes(Prunes prunes, CachedReads reads) implements Prunes {
    @Override
    public void deleteAll(String prefix) throws IOException {
        try {
            prunes.deleteAll(prefix);
        } finally {
            drop(prefix);
        }
    }

    @Override
    public void deleteAll(String prefix, Duration patience) throws IOException {
        try {
            prunes.deleteAll(prefix, patience);
        } finally {
            drop(prefix);
        }
    }

    @Override
    public void reserved(String prefix, Consumer<String> names) throws IOException {
        prunes.reserved(prefix, names);
    }

    private void drop(String prefix) {
        reads.confirmedVersions().changeAll();
        reads.objects().dropBelow(prefix);
    }
}
