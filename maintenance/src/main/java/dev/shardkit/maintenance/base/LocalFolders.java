package dev.shardkit.maintenance.base;

import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Finds the folder behind a location. A store of local files describes itself by {@code file:} and its folder. */
public final class LocalFolders {
    private static final String FILE = "file:";

    private LocalFolders() {}

    /** Returns the folder of a store of local files. */
    public static Optional<Path> of(Store store) {
        return of(store.describe());
    }

    /** Returns the folder that a location of local files names. */
    public static Optional<Path> of(String location) {
        return location.startsWith(FILE) ? Optional.of(Path.of(location.substring(FILE.length()))) : Optional.empty();
    }

    /** Whether a path is a symbolic link, or a junction of Windows, which Java calls a directory. */
    public static boolean isLink(Path path) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isSymbolicLink() || found.isDirectory() && found.isOther();
        } catch (IOException e) {
            return false;
        }
    }
}
