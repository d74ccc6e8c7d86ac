package dev.shardkit.maintenance;

import dev.shardkit.store.Store;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the folder behind a location. A store of local files describes itself by {@code file:} and its folder. */
final class LocalFolders {
    private static final String FILE = "file:";

    private LocalFolders() {}

    /** Returns the folder of a store of local files. */
    static Optional<Path> of(Store store) {
        return of(store.describe());
    }

    /** Returns the folder that a location of local files names. */
    static Optional<Path> of(String location) {
        return location.startsWith(FILE) ? Optional.of(Path.of(location.substring(FILE.length()))) : Optional.empty();
    }
}
