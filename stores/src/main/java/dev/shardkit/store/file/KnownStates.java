package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The states of files that were looked at lately: documents whose version each write checks. A path that leads to a
 * file in the same state leads to the same file, so its links are not looked at again, which takes a system call for
 * each name of the path. Only for files with an identity and a change time. Thread-safe.
 */
final class KnownStates {
    private static final int MOST = 64;

    private final Map<String, FileState> states = new LinkedHashMap<>(16, 0.75f, true);

    /** Looks at a file with all checks. */
    interface Look {
        Optional<FileState> run() throws IOException;
    }

    /** Returns the state of the object {@code key}, whose file is at {@code path}. */
    Optional<FileState> state(String key, Path path, Look look) throws IOException {
        Optional<FileState> before = known(key);
        if (before.isPresent() && FileState.of(path).equals(before.get())) {
            return before;
        }
        Optional<FileState> now = look.run();
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
