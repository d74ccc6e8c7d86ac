package dev.shardkit.engine;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A near store as the plans of a writer read it. Thread-safe. */
record WritersView(NearReads reads, Opener opener) implements NearReads {
    /** How objects are opened. */
    interface Opener {
        Optional<Snapshot> open(String key) throws IOException;
    }

    /** Of somebody who holds the lock of what he reads: nobody is waited for. */
    static WritersView locked(NearReads reads) {
        return new WritersView(reads, reads::openToChange);
    }

    /** Of an owner, beside whom others may change the same object, but nothing that he reads. */
    static WritersView owned(NearReads reads) {
        return new WritersView(
                reads, key -> reads.openToChange(key).map(s -> new View(s, Confirming.NO, Closing.WITH_IT)));
    }

    /** The same, of somebody who has the object under {@code key} open, or knows that there is none. */
    WritersView having(String key, Optional<Snapshot> open, Confirming confirming) {
        return new WritersView(
                reads, k -> k.equals(key) ? open.map(s -> new View(s, confirming, Closing.LATER)) : opener.open(k));
    }

    /** Of somebody who changes what he has open. */
    static WritersView pinned(NearReads reads, String key, Optional<Snapshot> open) {
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

    /** Whether a reader looks, at the end, if what he has read was changed meanwhile. */
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
        public void read(long offset, ByteBuffer into) throws IOException {
            snapshot.read(offset, into);
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
