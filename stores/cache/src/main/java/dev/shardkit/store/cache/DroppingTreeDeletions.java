package dev.shardkit.store.cache;

import dev.shardkit.store.TreeDeletions;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Removes all objects below a prefix from the other store, and drops their cached copies. Thread-safe. */
record DroppingTreeDeletions(TreeDeletions prunes, CachedReads reads) implements TreeDeletions {
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
