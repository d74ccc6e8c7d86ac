package dev.shardkit.store.file;

import dev.shardkit.store.Leftover;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.open.LocalDiskCheck;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.OpenJournal;
import dev.shardkit.store.file.patch.Recovery;
import dev.shardkit.store.filesystem.DirectoryOpener;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds and removes files of interrupted writers: temporary files of puts and journals of patches. Also reports files
 * of other programs under reserved names. An instance is one search.
 */
final class Leftovers {
    private static final String TEMPORARY = Keys.RESERVED + "-tmp-";
    /** The age from which a temporary file counts as stale: its writer has probably been killed. */
    private static final Duration STALE = Duration.ofHours(1);

    private final Path root;
    private final LocalDiskCheck local;
    private final Consumer<Leftover> consumer;

    private Leftovers(Path root, LocalDiskCheck local, Consumer<Leftover> consumer) {
        this.root = root;
        this.local = local;
        this.consumer = consumer;
    }

    /** Reports the leftovers below a prefix; does not follow links. */
    static void find(StoreDirectory tree, LocalDiskCheck local, String prefix, Consumer<Leftover> consumer) {
        Path path = tree.directory(prefix);
        try {
            new Leftovers(tree.real(tree.root()), local, consumer).search(tree.real(path));
        } catch (NotDirectoryException e) {
            return;
        } catch (IOException e) {
            if (!tree.isAbsent(path, e)) {
                throw tree.failed("looking for leftovers below", prefix, e);
            }
        }
    }

    private void search(Path directory) throws IOException {
        // In a folder without subfolders, only reserved names can be leftovers. So other files are skipped, which saves
        // a system call for each.
        boolean isLeaf = local.isLeaf(directory);
        try (DirectoryStream<Path> files = DirectoryOpener.open(directory, LinkOption.NOFOLLOW_LINKS)) {
            for (Path file : files) {
                if (!isLeaf || file.getFileName().toString().startsWith(Keys.RESERVED)) {
                    inspect(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Reports a file if it is a leftover; searches a directory. */
    private void inspect(Path file) throws IOException {
        try {
            BasicFileAttributes attributes = ReservedFiles.attributes(file);
            boolean isReserved = file.endsWith(Keys.RESERVED);
            if (ReservedFiles.isJunction(attributes)) {
                return;
            } else if (attributes.isDirectory() && isReserved) {
                searchReserved(file);
            } else if (attributes.isDirectory()) {
                search(file);
            } else if (isReserved) {
                report(Leftover.Kind.FOREIGN, file, null);
            } else if (isStaleTemporary(file, attributes)) {
                report(Leftover.Kind.TEMPORARY, file, null);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return; // completed or replaced in the meantime
        }
    }

    /** Searches a reserved directory of the store. */
    private void searchReserved(Path directory) throws IOException {
        Path patches = JournalDirectory.patches(directory);
        for (Path child : children(directory)) {
            boolean expected = child.equals(patches) ? ReservedFiles.isDirectory(child) : ReservedFiles.isFile(child);
            if (!expected) {
                report(Leftover.Kind.FOREIGN, child, null);
            } else if (child.equals(patches)) {
                for (Path journalFolder : children(patches)) {
                    searchJournals(journalFolder, directory.resolveSibling(journalFolder.getFileName()));
                }
            }
        }
    }

    /** Reports the journals of one object. {@code target} is the object's file, which may not exist. */
    private void searchJournals(Path journalFolder, Path target) throws IOException {
        if (!ReservedFiles.isDirectory(journalFolder)) {
            report(Leftover.Kind.FOREIGN, journalFolder, name(target));
            return;
        }
        JournalDirectory journalDirectory = JournalDirectory.of(target);
        boolean patchIsDue = Recovery.isDue(journalDirectory);
        for (Path journal : children(journalFolder)) {
            Optional<Leftover.Kind> kind = ReservedFiles.isFile(journal)
                    ? OpenJournal.leftover(journalDirectory, journal)
                    : Optional.of(Leftover.Kind.FOREIGN);
            if (kind.isPresent() && (kind.get() != Leftover.Kind.JOURNAL || patchIsDue)) {
                report(kind.get(), journal, name(target));
                patchIsDue &= kind.get() != Leftover.Kind.JOURNAL; // report one journal for each object
            }
        }
    }

    private static List<Path> children(Path directory) throws IOException {
        try (DirectoryStream<Path> files = DirectoryOpener.open(directory, LinkOption.NOFOLLOW_LINKS)) {
            List<Path> paths = new ArrayList<>();
            files.forEach(paths::add);
            paths.sort(null);
            return paths;
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of(); // removed in the meantime
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void report(Leftover.Kind kind, Path path, @Nullable String key) throws IOException {
        try {
            consumer.accept(new Leftover(
                    kind,
                    name(path),
                    Optional.ofNullable(key),
                    ReservedFiles.attributes(path).size()));
        } catch (NoSuchFileException e) {
            // completed in the meantime
        }
    }

    /** Returns the path of a file below the root, with slashes. */
    private String name(Path file) {
        StringBuilder name = new StringBuilder();
        for (Path element : root.relativize(file)) {
            name.append(name.isEmpty() ? "" : "/").append(element);
        }
        return name.toString();
    }

    /** Removes a temporary file if it still is one. */
    static boolean remove(StoreDirectory tree, Leftover leftover) {
        String name = leftover.name();
        int slash = name.lastIndexOf('/');
        Path directory = tree.directory(slash < 0 ? "" : name.substring(0, slash));
        try {
            Path file = tree.real(directory).resolve(name.substring(slash + 1));
            return isStaleTemporary(file, ReservedFiles.attributes(file)) && Files.deleteIfExists(file);
        } catch (IOException e) {
            if (tree.isAbsent(directory, e)) {
                return false;
            }
            throw tree.failed("removing", name, e);
        }
    }

    /** Returns whether a file is a temporary file of a put from more than an hour ago. */
    static boolean isStaleTemporary(Path file, BasicFileAttributes attributes) {
        return attributes.isRegularFile()
                && file.getFileName().toString().startsWith(TEMPORARY)
                && attributes.lastModifiedTime().toInstant().plus(STALE).isBefore(Instant.now());
    }
}
