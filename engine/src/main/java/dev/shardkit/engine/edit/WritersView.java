package dev.shardkit.engine.edit;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a near store for the plans of a writer, which holds the lock of the object that it changes. Thread-safe.
 */
record WritersView(NearReads reads, Opener opener) implements NearReads {
    /** Opens objects. */
    interface Opener {
        Optional<Snapshot> open(String key) throws IOException;
    }

    /** For a caller that holds the object's lock: does not wait for other writers. */
    static WritersView locked(NearReads reads) {
        return new WritersView(reads, reads::openToChange);
    }

    /** For an owner: others may change the same object, but not the bytes that the owner reads. */
    static WritersView owned(NearReads reads) {
        return new WritersView(
                reads, key -> reads.openToChange(key).map(s -> new View(s, Confirming.NO, Closing.WITH_IT)));
    }

    /** The same view for a caller that has the object under {@code key} open, or knows that it does not exist. */
    WritersView having(String key, @Nullable Snapshot open, Confirming confirming) {
        Optional<Snapshot> view = Optional.ofNullable(open).map(s -> new View(s, confirming, Closing.LATER));
        return new WritersView(reads, k -> k.equals(key) ? view : opener.open(k));
    }

    /** For a caller that changes the object that it has open. */
    static WritersView pinned(NearReads reads, String key, @Nullable Snapshot open) {
        return new WritersView(reads, reads::open).having(key, open, Confirming.NO);
    }

    @Override
    public MergePolicy mergePolicy() {
        return reads.mergePolicy();
    }

    @Override
    public Optional<Snapshot> open(String key) throws IOException {
        return opener.open(key);
    }

    /** Whether a reader checks at the end that its objects have not changed. */
    enum Confirming {
        YES,
        NO
    }

    private enum Closing {
        WITH_IT,
        LATER
    }

    private record View(Snapshot snapshot, Confirming confirming, Closing closing) implements Snapshot {
        @Override
        public String version() {
            return snapshot.version();
        }

        @Override
        public long size() {
            return snapshot.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            snapshot.read(offset, target);
        }

        @Override
        public void confirm() throws IOException {
            if (confirming == Confirming.YES) {
                snapshot.confirm();
            }
        }

        @Override
        public void close() throws IOException {
            if (closing == Closing.WITH_IT) {
                snapshot.close();
            }
        }
    }
}
