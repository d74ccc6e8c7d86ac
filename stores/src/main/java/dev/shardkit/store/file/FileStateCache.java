package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Caches the states of up to 64 files whose version was requested, mostly {@code zarr.json}. If a path still leads to a
 * file in the cached state, its links are not resolved again, which would take a system call for each name of the path.
 * Only for files with an identity and a change time. Thread-safe.
 */
final class FileStateCache {
    private static final int MOST = 64;

    private final Map<String, FileState> states = new LinkedHashMap<>(16, 0.75f, true);

    /** Resolves links and reads the file's state. */
    interface Resolving {
        Optional<FileState> run() throws IOException;
    }

    /** Returns the state of the object {@code key}, whose file is at {@code path}. */
    Optional<FileState> get(String key, Path path, Resolving resolving) throws IOException {
        Optional<FileState> before = known(key);
        if (before.isPresent() && FileState.of(path).equals(before.get())) {
            return before;
        }
        Optional<FileState> now = resolving.run();
        if (now.isPresent()
                && now.get().fileKey().isPresent()
                && now.get().changed().isPresent()) {
            keep(key, now.get());
        }
        return now;
    }

    private synchronized Optional<FileState> known(String key) {
        return Optional.ofNullable(states.get(key));
    }

    private synchronized void keep(String key, FileState state) {
        states.put(key, state);
        if (states.size() > MOST) {
            states.remove(states.keySet().iterator().next());
        }
    }
}
