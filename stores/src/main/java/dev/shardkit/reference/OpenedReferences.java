package dev.shardkit.reference;

import dev.shardkit.store.BlockingLists;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What stores of references have in common, however they read the objects. Read-only. */
abstract class OpenedReferences implements Store, BlockingLists {
    final References references;
    final Targets targets;
    private final String described;

    OpenedReferences(References references, Targets targets, String described) {
        this.references = references;
        this.targets = targets;
        this.described = described;
    }

    /** Returns the ranges of other objects that hold the bytes under {@code key}. */
    public Optional<List<ObjectPart>> parts(String key) {
        return references.parts(key);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        references.list(prefix, entries);
    }

    @Override
    public String describe() {
        return described;
    }

    @Override
    public void close() {
        targets.close();
    }
}
