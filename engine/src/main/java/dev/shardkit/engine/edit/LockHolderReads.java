package dev.shardkit.engine.edit;

import dev.shardkit.store.LocalReads;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a local store for the plans of a writer. The writer holds the lock of the object that it changes, owns
 * the object, or changes it conditionally. Thread-safe.
 */
record LockHolderReads(LocalReads reads, Opener opener) implements LocalReads {
    /** Opens objects. */
    interface Opener {
        Optional<ObjectSnapshot> open(String key) throws IOException;
    }

    /** Returns the reads of a caller that holds the object's lock. They do not wait for other writers. */
    static LockHolderReads locked(LocalReads reads) {
        return new LockHolderReads(reads, reads::openToChange);
    }

    /** Returns the reads of an owner: others may change the same object, but not the bytes that the owner reads. */
    static LockHolderReads owned(LocalReads reads) {
        return new LockHolderReads(
                reads, key -> reads.openToChange(key).map(s -> new View(s, Confirming.NO, Closing.WITH_IT)));
    }

    /**
     * Returns these reads for a caller that has opened the object under {@code key}.
     *
     * @param open the open object; null if the caller knows that it does not exist
     */
    LockHolderReads having(String key, @Nullable ObjectSnapshot open, Confirming confirming) {
        Optional<ObjectSnapshot> view = Optional.ofNullable(open).map(s -> new View(s, confirming, Closing.LATER));
        return new LockHolderReads(reads, k -> k.equals(key) ? view : opener.open(k));
    }

    /** Returns the reads of a caller that has opened the object that it changes, and holds no lock. */
    static LockHolderReads pinned(LocalReads reads, String key, @Nullable ObjectSnapshot open) {
        return new LockHolderReads(reads, reads::open).having(key, open, Confirming.NO);
    }

    @Override
    public MergePolicy mergePolicy() {
        return reads.mergePolicy();
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        return opener.open(key);
    }

    /** Whether a reader checks at the end that its objects have not changed. */
    enum Confirming {
        YES,
        NO
    }

    /** When the underlying snapshot is closed. */
    private enum Closing {
        /** With the view. */
        WITH_IT,
        /** Later, by the caller that opened it. */
        LATER
    }

    /** A snapshot for a plan. Depending on the two settings, ignores the final check and the closing. */
    private record View(ObjectSnapshot snapshot, Confirming confirming, Closing closing) implements ObjectSnapshot {
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
