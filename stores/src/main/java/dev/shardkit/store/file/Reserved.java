package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The folders and files that the store keeps for itself ({@code __shardkit}). An archive of a stranger may hold links
 * there, which would lead the store to the user's other files: so none is followed.
 */
final class Reserved {
    private Reserved() {}

    /** Whether {@code path} itself is a directory, and no link to one. Fails if the disk does not say so. */
    static boolean isDirectory(Path path) throws IOException {
        try {
            return attributes(path).isDirectory();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Whether {@code path} itself is a regular file, and no link to one. */
    static boolean isFile(Path path) throws IOException {
        try {
            return attributes(path).isRegularFile();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The attributes of {@code path} itself. */
    static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Makes a directory in one that exists.
     *
     * @return whether there is a directory now: not if a link or a file has its name
     */
    static boolean make(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
            return true;
        } catch (FileAlreadyExistsException e) {
            return isDirectory(directory);
        }
    }
}
