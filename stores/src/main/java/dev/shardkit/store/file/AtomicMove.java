package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.file.disk.DirectorySync;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Moves files and folders by one atomic rename. Refuses links. Immutable.
 *
 * @param source the tree with the file to move
 * @param target the tree into which the file is moved
 * @param entries forces directory entries of {@code target}
 */
record AtomicMove(StoreDirectory source, StoreDirectory target, DirectoryEntrySync entries) {
    /** Moves one file. Returns false if it is a directory; never replaces an existing file. */
    boolean run(Path sourcePath, String sourceKey, Path targetPath, String targetKey, Durability durability)
            throws IOException {
        Path real = source.real(sourcePath.getParent()).resolve(sourcePath.getFileName());
        BasicFileAttributes file = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (file.isDirectory()) {
            return false;
        } else if (!file.isRegularFile()) {
            throw new UnsupportedException(
                    sourceKey + " in " + source.describe() + " is a link; links cannot be moved");
        } else if (JournalDirectory.of(real).isUnderWay()) {
            throw new StoreException(sourceKey + " in " + source.describe()
                    + " is being changed in place, or such a change " + "was interrupted: repair it first");
        }
        Path destination = target.createDirectory(targetPath.getParent()).resolve(targetPath.getFileName());
        if (Files.exists(destination, LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreException("moving " + sourceKey + " in " + source.describe() + ": " + targetKey + " in "
                    + target.describe() + " already exists");
        }
        try {
            OpenFileReplacement.change(
                    real,
                    OpenFileReplacement.PATIENCE,
                    () -> Files.move(real, destination, StandardCopyOption.ATOMIC_MOVE));
        } catch (AtomicMoveNotSupportedException | UnsupportedOperationException e) {
            throw new UnsupportedException(
                    source.describe() + " and " + target.describe() + " lie on different file systems, or "
                            + "on one without atomic moves: files can be copied, not moved",
                    e);
        }
        JournalDirectory.of(destination).removeJournals();
        if (durability == Durability.FORCED) {
            entries.forceNew(destination);
            DirectorySync.force(real.getParent(), 0);
        }
        return true;
    }

    /**
     * Renames a folder with its content. Windows refuses this while the folder is listed or a file in it is open, so
     * this process closes its files there, and retries for about a second.
     *
     * @return false if the folders lie on different file systems
     */
    static boolean renameFolder(Path from, Path into) throws IOException {
        Files.createDirectories(into.getParent());
        try {
            OpenFileReplacement.retrying(from, () -> {
                OpenFileReplacement.releaseBelow(from);
                return Files.move(from, into, StandardCopyOption.ATOMIC_MOVE);
            });
            return true;
        } catch (AtomicMoveNotSupportedException | ProviderMismatchException e) {
            return false;
        }
    }
}
