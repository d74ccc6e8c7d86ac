package dev.shardkit.store.file;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.internal.Keys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Where the patches of one file are told of: {@code DIRECTORY/__shardkit/patches/NAME/}, a journal for each that is
 * under way. It lies beside the file, where a reader finds it by one look: the file's own times can't tell, since the
 * system sets them with every write. {@code patches} stays when the last patch is done: it says that files of this
 * directory are changed in place at times. No link is followed here: a link, or a directory among the journals, is none
 * of ours and is passed by. Immutable.
 *
 * @param file the file, a real path
 * @param patches the directory for all files of its directory
 * @param own the directory for this one; there while a patch is under way or was cut short, and some time after
 */
record PatchPlace(Path file, Path patches, Path own) {
    private static final int TRIES = 100;

    /** The place for the file at {@code real}, a real path. */
    static PatchPlace of(Path real) {
        Path patches = patches(real.resolveSibling(Keys.RESERVED));
        return new PatchPlace(real, patches, patches.resolve(real.getFileName()));
    }

    /** The directory of all places in {@code reserved}, a directory {@code __shardkit}. */
    static Path patches(Path reserved) {
        return reserved.resolve("patches");
    }

    /** Whether files of this directory have ever been changed in place. */
    boolean isUsed() {
        try {
            return Reserved.isDirectory(patches.getParent()) && Reserved.isDirectory(patches);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the file is being changed in place, or such a change was cut short. */
    boolean isUnderWay() throws IOException {
        for (Path journal : journals()) {
            if (OpenJournal.isUnderWay(journal)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is the file's directory; a disk that does not say so fails. */
    boolean isThere() throws IOException {
        return Reserved.isDirectory(patches.getParent()) && Reserved.isDirectory(patches) && Reserved.isDirectory(own);
    }

    /** The regular files among which the journals are. */
    List<Path> journals() throws IOException {
        List<Path> all = new ArrayList<>();
        if (!isThere()) {
            return all;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(own)) {
            for (Path path : files) {
                if (Reserved.isFile(path)) {
                    all.add(path);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return all;
    }

    /** Makes the directories; the path of a new journal, which is not yet there. Tried again if it can't be made. */
    Path next() throws IOException {
        for (Path directory : List.of(patches.getParent(), patches, own)) {
            if (!Reserved.isDirectory(directory) && !Reserved.make(directory)) {
                throw new UnsupportedException("changing " + file.getFileName() + " in place needs the directory "
                        + directory + ": expected a directory or nothing, found a link or a file");
            }
        }
        return own.resolve(UUID.randomUUID().toString());
    }

    /** Opens a new journal; the directory may vanish under it, as that of another patch which is done. */
    <T> T make(Maker<T> maker) throws IOException {
        for (int i = 1; ; i++) {
            try {
                return maker.make(next());
            } catch (NoSuchFileException e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Makes something of a path. */
    interface Maker<T> {
        T make(Path path) throws IOException;
    }

    /** Removes the file's directory, if nothing is left in it. */
    void leave() throws IOException {
        try {
            if (isThere()) {
                Files.deleteIfExists(own);
            }
        } catch (DirectoryNotEmptyException e) {
            // of another patch, or something that is not ours
        }
    }

    /**
     * Removes what is told of patches of a file that is no more. Journals that were set aside stay, for people to see.
     */
    void clear() throws IOException {
        for (Path journal : journals()) {
            if (OpenJournal.isOurs(journal)) {
                Files.deleteIfExists(journal);
            }
        }
        leave();
    }
}
