package dev.shardkit.engine;

import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The objects that one run has open: each is opened once, so that a run sees one version of it. Idle ones are closed
 * when
 * there are too many; opened again, they must have the same version. Guarded by its own monitor.
 */
final class Snapshots {
  private static final int MOST_OPEN = 256;

  private static final class Handle {
    private final Optional<Snapshot> snapshot;
    private int users;

    Handle(Optional<Snapshot> snapshot) {
      this.snapshot = snapshot;
    }
  }

  /** A snapshot in use. */
  final class Lease implements AutoCloseable {
    private final Handle handle;

    private Lease(Handle handle) {
      this.handle = handle;
    }

    /** The object; empty if there is none. */
    Optional<Snapshot> snapshot() {
      return handle.snapshot;
    }

    @Override
    public void close() {
      synchronized (Snapshots.this) {
        handle.users--;
      }
    }
  }

  private final BlockingStore store;
  private final Map<String, Handle> handles = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, String> versions = new HashMap<>();

  Snapshots(BlockingStore store) {
    this.store = store;
  }

  synchronized Lease lease(String key) throws IOException {
    Handle handle = handles.get(key);
    if (handle == null) {
      makeRoom();
      handle = new Handle(store.open(key));
      String version = handle.snapshot.map(Snapshot::version).orElse("absent");
      String before = versions.putIfAbsent(key, version);
      handles.put(key, handle);
      if (before != null && !before.equals(version)) {
        throw new ObjectChangedException("version " + version + " in place of " + before);
      }
    }
    handle.users++;
    return new Lease(handle);
  }

  private void makeRoom() throws IOException {
    Iterator<Handle> oldest = handles.values().iterator();
    while (handles.size() >= MOST_OPEN && oldest.hasNext()) {
      Handle h = oldest.next();
      if (h.users == 0) {
        oldest.remove();
        if (h.snapshot.isPresent()) {
          h.snapshot.get().close();
        }
      }
    }
  }

  synchronized void close() {
    for (Handle h : handles.values()) {
      try {
        if (h.snapshot.isPresent()) {
          h.snapshot.get().close();
        }
      } catch (IOException e) {
        // what was read from it is right all the same
        System.getLogger("dev.shardkit.engine").log(System.Logger.Level.DEBUG, "closing an object failed", e);
      }
    }
    handles.clear();
  }
}
