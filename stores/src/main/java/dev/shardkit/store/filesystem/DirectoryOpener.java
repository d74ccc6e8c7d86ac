package dev.shardkit.store.filesystem;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens directories. Java opens a named pipe as a directory too, and then waits for a writer of the pipe, for ever and
 * with the locks that the caller holds. So only directories are opened here. {@code ModuleRulesTest} names the few
 * other classes that open directories.
 */
public final class DirectoryOpener {
    private DirectoryOpener() {}

    /**
     * Opens a directory.
     *
     * <p>A pipe that replaces the directory between the check and the opening still blocks the caller: Java has no call
     * that opens a path only if it is a directory.
     *
     * @param links whether {@code directory} itself may be a link
     * @throws NotDirectoryException if something else is there
     */
    public static DirectoryStream<Path> open(Path directory, LinkOption... links) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class, links);
        boolean isJunction =
                links.length > 0 && attributes.isOther(); // a link of Windows, which Java calls a directory
        if (!attributes.isDirectory() || isJunction) {
            throw new NotDirectoryException(directory.toString());
        }
        return Files.newDirectoryStream(directory);
    }
}
