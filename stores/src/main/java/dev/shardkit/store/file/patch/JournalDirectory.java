package dev.shardkit.store.file.patch;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.filesystem.DirectoryOpener;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The directory with the journals of one file's patches: {@code DIRECTORY/__shardkit/patches/NAME/}. It contains a
 * journal for each running or interrupted patch. It lies beside the file, so that a reader finds a patch by one lookup.
 * The file's modification time cannot show a running patch: it changes with each write of the patch, and does not tell
 * whether more writes follow. The directory {@code patches} stays after the last patch. It shows readers that files of
 * {@code DIRECTORY} are sometimes changed in place. Links, and directories among the journals, are ignored. Immutable.
 *
 * @param file the file, a real path
 * @param patches the directory with the journal directories of all files of {@code DIRECTORY}
 * @param own the directory for this file; it exists while a patch is running or interrupted, and for some time after
 */
public record JournalDirectory(Path file, Path patches, Path own) {
    /** How often the creation of a journal is attempted if its directory disappears meanwhile. */
    private static final int TRIES = 100;

    /** Returns the journal directory of the file at {@code real}, a real path. */
    public static JournalDirectory of(Path real) {
        Path patches = patches(real.resolveSibling(Keys.RESERVED));
        return new JournalDirectory(real, patches, patches.resolve(real.getFileName()));
    }

    /** Returns the directory of all journal directories in {@code reserved}, a directory {@code __shardkit}. */
    public static Path patches(Path reserved) {
        return reserved.resolve("patches");
    }

    /** Creates {@link #patches}, which shows that files of this directory are sometimes changed in place. */
    public void createMark() throws IOException {
        createDirectories(List.of(patches.getParent(), patches));
    }

    /** Returns whether files of this directory have ever been changed in place. False also if the disk fails. */
    public boolean isUsed() {
        try {
            return isUsed(patches);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isUsed(Path patches) throws IOException {
        return ReservedFiles.isDirectory(patches.getParent()) && ReservedFiles.isDirectory(patches);
    }

    /** Returns whether a patch of the file is running or interrupted. */
    public boolean isUnderWay() throws IOException {
        for (Path journal : journals()) {
            if (OpenJournal.isUnderWay(journal)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether {@link #own}, the directory for this file, exists. */
    boolean exists() throws IOException {
        return isUsed(patches) && ReservedFiles.isDirectory(own);
    }

    /** Returns the regular files among the journals. */
    public List<Path> journals() throws IOException {
        return isUsed(patches) ? OpenFileReplacement.retrying(own, this::list) : List.of();
    }

    private List<Path> list() throws IOException {
        List<Path> journals = new ArrayList<>();
        try (DirectoryStream<Path> files = DirectoryOpener.open(own, LinkOption.NOFOLLOW_LINKS)) {
            for (Path path : files) {
                if (ReservedFiles.isFile(path)) {
                    journals.add(path);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return journals;
    }

    /**
     * Creates the directories and returns the path of a new journal, which does not exist yet. Another patch that ends
     * may remove the directory again.
     */
    public Path newJournal() throws IOException {
        createDirectories(List.of(patches.getParent(), patches, own));
        return own.resolve(UUID.randomUUID().toString());
    }

    private void createDirectories(List<Path> directories) throws IOException {
        for (Path directory : directories) {
            if (!ReservedFiles.isDirectory(directory) && !ReservedFiles.make(directory)) {
                throw new UnsupportedException("changing " + file.getFileName() + " in place needs the directory "
                        + directory + ": expected a directory or nothing, found a link or a file");
            }
        }
    }

    /** Creates a new journal by {@code maker}. Retries if another patch that ends removes the directory. */
    <T> T create(Maker<T> maker) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return OpenFileReplacement.retrying(own, () -> maker.create(newJournal()));
            } catch (NoSuchFileException e) {
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Creates a journal at a path. */
    interface Maker<T> {
        T create(Path path) throws IOException;
    }

    /** Removes {@link #own}, the directory for this file, if it is empty. */
    public void removeIfEmpty() throws IOException {
        try {
            if (exists()) {
                Files.deleteIfExists(own);
            }
        } catch (DirectoryNotEmptyException e) {
            // It contains journals of another patch, or files of other programs.
        } catch (FileSystemException e) {
            if (!OpenFileReplacement.isRefusal(own, e)) { // on Windows, another process may list or remove it just now
                throw e;
            }
        }
    }

    /** Removes the journals of a deleted file, except those that were set aside for inspection. */
    public void removeJournals() throws IOException {
        for (Path journal : journals()) {
            if (OpenJournal.isOurs(journal)) {
                OpenFileReplacement.change(journal, OpenFileReplacement.PATIENCE, () -> Files.deleteIfExists(journal));
            }
        }
        removeIfEmpty();
    }
}
