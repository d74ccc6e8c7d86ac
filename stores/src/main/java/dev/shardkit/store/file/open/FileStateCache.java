package dev.shardkit.store.file.open;

import dev.shardkit.store.file.disk.FileState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Caches the states and versions of up to 64 files whose version was requested, mostly {@code zarr.json}. If a path
 * still leads to a file in the cached state, its links are not resolved again; this saves a system call for each name
 * of the path. Caches only files with an identity and a change time. Thread-safe.
 */
public final class FileStateCache {
    private static final int MAX = 64;

    private final Map<String, Known> states = new LinkedHashMap<>(16, 0.75f, true);

    private record Known(FileState state, String version) {}

    /** Resolves links and reads the file's state. */
    public interface Resolving {
        Optional<FileState> run() throws IOException;
    }

    /** Returns the version of the object {@code key}, whose file is at {@code path}. */
    public Optional<String> version(String key, Path path, Resolving resolver) throws IOException {
        Known cached = cached(key);
        if (cached != null && FileState.of(path).equals(cached.state())) {
            return Optional.of(cached.version());
        }
        Optional<FileState> resolved = resolver.run();
        if (resolved.isEmpty()) {
            return Optional.empty();
        }
        FileState state = resolved.get();
        String version = state.version();
        if (state.fileKey().isPresent() && state.changed().isPresent()) {
            keep(key, new Known(state, version));
        }
        return Optional.of(version);
    }

    private synchronized @Nullable Known cached(String key) {
        return states.get(key);
    }

    private synchronized void keep(String key, Known entry) {
        states.put(key, entry);
        if (states.size() > MAX) {
            states.remove(states.keySet().iterator().next());
        }
    }
}
