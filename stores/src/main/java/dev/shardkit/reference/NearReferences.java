package dev.shardkit.reference;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.BlockingLists;
import dev.shardkit.store.Entry;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** References to files beside their document. Read-only. */
final class NearReferences implements Store, NearReads, BlockingLists {
    private final References references;
    private final Targets targets;
    private final String described;

    NearReferences(References references, Targets targets, String described) {
        this.references = references;
        this.targets = targets;
        this.described = described;
    }

    @Override
    public Optional<Snapshot> open(String key) throws IOException {
        Optional<Integer> number = references.target(key);
        if (number.isPresent()) {
            return Optional.of(target(number.get()));
        }
        Optional<Reference> found = references.find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                found.get() instanceof Reference.Whole w
                        ? target(w.target())
                        : PiecesSnapshot.open((Reference.Pieces) found.get(), this::target));
    }

    private Snapshot target(int number) throws IOException {
        String url = references.targets().get(number);
        Targets.Target target = targets.at(url);
        if (!(target.store().reads() instanceof NearReads near)) {
            throw new StoreException(
                    "expected a store of files, found " + target.store().describe());
        }
        return near.open(target.key()).orElseThrow(() -> FarReferences.nothing(url));
    }

    @Override
    public Optional<List<ObjectPart>> parts(String key) {
        return references.parts(key);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        references.list(prefix, entries);
    }

    @Override
    public Reads reads() {
        return this;
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
