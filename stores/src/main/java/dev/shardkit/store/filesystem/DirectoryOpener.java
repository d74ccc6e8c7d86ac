package dev.shardkit.store.filesystem;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens directories, after checking that they are directories. Java's own method also opens a named pipe, and then
 * waits for a writer of the pipe: forever, and while the caller holds its locks. {@code ModuleRulesTest} lists the few
 * other classes that may open directories.
 */
public final class DirectoryOpener {
    private DirectoryOpener() {}

    /**
     * Opens a directory.
     *
     * <p>A pipe that replaces the directory between the check and the opening still blocks the caller: Java has no call
     * that opens a path only if it is a directory.
     *
     * @param links {@link LinkOption#NOFOLLOW_LINKS} if {@code directory} itself must not be a link
     * @throws NotDirectoryException if something else is there
     */
    public static DirectoryStream<Path> open(Path directory, LinkOption... links) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class, links);
        // A junction is a link of Windows. To Java it is a directory, but also of another kind.
        boolean isJunction = links.length > 0 && attributes.isOther();
        if (!attributes.isDirectory() || isJunction) {
            throw new NotDirectoryException(directory.toString());
        }
        return Files.newDirectoryStream(directory);
    }
}
