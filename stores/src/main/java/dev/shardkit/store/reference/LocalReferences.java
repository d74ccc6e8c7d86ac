package dev.shardkit.store.reference;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import java.io.IOException;
import java.util.Optional;

/** The store of a reference document whose targets are all local files. Read-only. */
final class LocalReferences extends AbstractReferenceStore implements LocalReads {
    LocalReferences(References references, Targets targets, String described) {
        super(references, targets, described);
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        Optional<Integer> number = references.targetNumber(key);
        if (number.isPresent()) {
            return Optional.of(target(number.get()));
        }
        Optional<Reference> reference = references.find(key);
        if (reference.isEmpty()) {
            return Optional.empty();
        }
        if (reference.get() instanceof Reference.Whole whole) {
            return Optional.of(target(whole.target()));
        } else if (reference.get() instanceof Reference.Made made) {
            return Optional.of(SynthesizedSnapshot.of(made.value(), target(made.target())));
        }
        return Optional.of(PiecesSnapshot.open((Reference.Pieces) reference.get(), this::target));
    }

    /** Opens a target; throws if it is missing or not in the expected version. */
    private ObjectSnapshot target(int number) throws IOException {
        String url = references.targets().get(number);
        Targets.Target target = targets.at(url);
        if (!(target.store().reads() instanceof LocalReads reads)) {
            throw new StoreException(
                    "expected a store of files, found " + target.store().describe());
        }
        ObjectSnapshot snapshot = reads.open(target.key()).orElseThrow(() -> RemoteReferences.missingTarget(url));
        if (target.version().isPresent() && !target.version().get().equals(snapshot.version())) {
            snapshot.close();
            throw changed(url, target.version().get(), snapshot.version());
        }
        return snapshot;
    }

    @Override
    public Reads reads() {
        return this;
    }
}
