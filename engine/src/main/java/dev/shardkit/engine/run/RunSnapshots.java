package dev.shardkit.engine.run;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a local store that one run has opened. Each object is opened once, so that the run sees one version of
 * it. If too many are open, idle objects are closed; when an object is opened again, it must have the same version.
 * Before an object is closed, the run confirms that no writer has changed it in place. Guarded by its own monitor,
 * except for opening and closing: each handle's monitor guards these, so that different objects are opened
 * concurrently.
 */
final class RunSnapshots {
    /** The number of open objects from which idle ones are closed. */
    private static final int MAX_OPEN = 256;

    /** One object of the run, which the first user opens. */
    private final class Handle {
        private final String key;
        /** The number of leases in use or being made; guarded by the snapshots. */
        private int users;

        private boolean opened;
        /** The opened object; null before it is opened, or if it does not exist. */
        private @Nullable ObjectSnapshot snapshot;

        Handle(String key) {
            this.key = key;
        }

        synchronized @Nullable ObjectSnapshot open() throws IOException {
            if (!opened) {
                snapshot = store.open(key).orElse(null);
                opened = true;
            }
            return snapshot;
        }

        /** Throws if the bytes that were read from the object may be of several versions. */
        synchronized void confirm() {
            try {
                if (snapshot != null) {
                    snapshot.confirm();
                }
            } catch (IOException | RuntimeException e) {
                throw Failures.rethrow(Failures.ofStore(e, context.array(), DataLocation.of(key), ""));
            }
        }

        synchronized void close() {
            try {
                if (snapshot != null) {
                    snapshot.close();
                }
            } catch (IOException | RuntimeException e) {
                // the bytes that were read before are valid all the same
                Failures.log(System.Logger.Level.DEBUG, "closing an object failed", e);
            }
        }
    }

    /** A snapshot in use. */
    final class Lease implements AutoCloseable {
        private final Handle handle;
        private final @Nullable ObjectSnapshot snapshot;

        private Lease(Handle handle, @Nullable ObjectSnapshot snapshot) {
            this.handle = handle;
            this.snapshot = snapshot;
        }

        /** Returns the object; null if it does not exist. */
        @Nullable
        ObjectSnapshot snapshot() {
            return snapshot;
        }

        @Override
        public void close() {
            release(handle);
        }
    }

    private final LocalReads store;
    private final ReadContext context;
    /** The open objects by key, in the order of their last use. */
    private final Map<String, Handle> handles = new LinkedHashMap<>(16, 0.75f, true);

    private final PinnedVersions pins = new PinnedVersions();
    private final @Nullable ReadDependencies tracker;

    /**
     * Creates the snapshots of a run.
     *
     * @param tracker records that an object has changed; null if the change is thrown as an exception
     */
    RunSnapshots(LocalReads store, ReadContext context, @Nullable ReadDependencies tracker) {
        this.store = store;
        this.context = context;
        this.tracker = tracker;
    }

    /** Returns the object under {@code key}, in the version that this run has seen before. */
    Lease lease(String key) throws IOException {
        Handle handle = take(key);
        boolean leased = false;
        try {
            ObjectSnapshot snapshot = handle.open();
            PinnedVersions.Seen seen = snapshot == null
                    ? PinnedVersions.Seen.ABSENT
                    : PinnedVersions.Seen.of(Optional.of(snapshot.version()));
            synchronized (this) {
                pins.confirm(key, seen);
            }
            leased = true;
            return new Lease(handle, snapshot);
        } finally {
            if (!leased) {
                release(handle);
            }
        }
    }

    /** Returns the handle of an object and counts a user. If too many objects are open, closes idle ones. */
    private Handle take(String key) {
        List<Handle> idle;
        Handle handle;
        synchronized (this) {
            idle = handles.containsKey(key) ? List.of() : makeRoom();
            handle = handles.computeIfAbsent(key, Handle::new);
            handle.users++;
        }
        boolean confirmed = false;
        try {
            confirm(idle);
            confirmed = true;
        } finally {
            if (!confirmed) {
                release(handle);
            }
            closeAll(idle);
        }
        return handle;
    }

    /** Throws, or records a change, if the bytes read from one of the open objects may be of several versions. */
    void confirm() {
        List<Handle> all;
        synchronized (this) {
            all = List.copyOf(handles.values());
        }
        confirm(all);
    }

    /** Throws, or records a change, if the bytes read from an open object may be of several versions. */
    void confirm(String key) {
        List<Handle> handle;
        synchronized (this) {
            handle = Optional.ofNullable(handles.get(key)).stream().toList();
            handle.forEach(h -> h.users++);
        }
        try {
            confirm(handle);
        } finally {
            handle.forEach(this::release);
        }
    }

    /** Throws, or records a change, if the bytes read from one of these objects may be of several versions. */
    private void confirm(List<Handle> open) {
        if (context.freshness() != ReadContext.Freshness.REVALIDATE) {
            return; // the objects are known not to change
        }
        for (Handle h : open) {
            try {
                h.confirm();
            } catch (ObjectChangedException e) {
                if (tracker == null) {
                    throw e;
                }
                tracker.changed(h.key, e);
            }
        }
    }

    /** Removes the least recently used idle objects if there are too many; the caller closes them. */
    private List<Handle> makeRoom() {
        List<Handle> idle = new ArrayList<>();
        Iterator<Handle> oldest = handles.values().iterator();
        while (handles.size() >= MAX_OPEN && oldest.hasNext()) {
            Handle h = oldest.next();
            if (h.users == 0) {
                oldest.remove();
                idle.add(h);
            }
        }
        return idle;
    }

    private synchronized void release(Handle handle) {
        handle.users--;
    }

    /** Closes all objects; none is in use any more. */
    void close() {
        List<Handle> all;
        synchronized (this) {
            all = List.copyOf(handles.values());
            handles.clear();
        }
        closeAll(all);
    }

    /** Closes all objects, even if one of them throws; then throws the first error. */
    private static void closeAll(List<Handle> handles) {
        Optional<Error> failed = Optional.empty();
        for (Handle h : handles) {
            try {
                h.close();
            } catch (Error e) {
                failed = failed.or(() -> Optional.of(e));
            }
        }
        if (failed.isPresent()) {
            throw failed.get();
        }
    }
}
