package dev.shardkit.store.file.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Inspects and creates the store's reserved folders and files ({@code __shardkit}). Never follows links there, because
 * links in a malicious archive could lead the store to other files of the user.
 */
public final class ReservedFiles {
    private ReservedFiles() {}

    /** Returns whether {@code path} itself is a directory, not a link to one. Throws if the disk fails. */
    public static boolean isDirectory(Path path) throws IOException {
        try {
            BasicFileAttributes attributes = attributes(path);
            return attributes.isDirectory() && !isJunction(attributes);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Returns whether a directory is a junction of Windows, a kind of link to a directory. Java does not report
     * junctions as symbolic links, but as directories of another kind.
     */
    public static boolean isJunction(BasicFileAttributes directory) {
        return directory.isDirectory() && directory.isOther();
    }

    /** Returns whether {@code path} itself is a regular file, not a link to one. */
    public static boolean isFile(Path path) throws IOException {
        try {
            return attributes(path).isRegularFile();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Returns the attributes of {@code path} itself. */
    public static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Creates a directory in an existing one. A no-op if the directory exists.
     *
     * @return whether the directory exists afterwards; false if a link or a file has its name
     */
    public static boolean make(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
            return true;
        } catch (FileAlreadyExistsException e) {
            return isDirectory(directory);
        }
    }
}
