package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.store.Patches;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What the disk of a test's folder can do. Tests run on Windows, and on file systems without links, with coarse times,
 * or that ignore upper and lower case ({@code -Djava.io.tmpdir}). They ask the disk, not for the name of the system.
 */
public final class TestDisk {
    private TestDisk() {}

    /** Makes a symbolic link; skips the test where the disk or the system has none. Returns the link. */
    public static Path link(Path link, Path target) throws IOException {
        try {
            return Files.createSymbolicLink(link, target);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (FileSystemException | UnsupportedOperationException e) {
            return abort("no symbolic links: " + e.getMessage());
        }
    }

    /** Skips a test that changes objects in place. */
    public static FileStore assumePatches(FileStore store) {
        try (FileStore above = FileStore.at(existing(store.root()))) { // a store tests a root that exists
            assumeTrue(above.can(Patches.class), "a disk with coarse times, or without random access");
        }
        return store;
    }

    private static Path existing(Path folder) {
        Path existing = folder;
        while (!Files.isDirectory(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }

    /** Returns whether the disk takes {@code A} and {@code a} for one name. */
    public static boolean ignoresCase(Path folder) {
        Path probe = folder.resolve("case-probe");
        try {
            Files.createDirectories(probe);
            boolean ignores = Files.exists(folder.resolve("CASE-PROBE"));
            Files.delete(probe);
            return ignores;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether the disk can hold a file with this name, and lists it as it is. */
    public static boolean holds(Path folder, String name) {
        try {
            Path probe = folder.resolve(name);
            Files.createFile(probe);
            try (var files = Files.list(folder)) {
                return files.anyMatch(file -> file.getFileName().toString().equals(name));
            } finally {
                Files.delete(probe);
            }
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }
}
