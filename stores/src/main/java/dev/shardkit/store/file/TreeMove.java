package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Durability;
import dev.shardkit.store.file.disk.Directories;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.internal.OpenHandles;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Moves a file from one tree to another with one atomic rename. Links are not moved. Immutable.
 *
 * @param entries the entries of {@code to}
 */
record TreeMove(StoreDirectory from, StoreDirectory to, DirectoryEntries entries) {
    boolean run(Path source, String sourceKey, Path target, String targetKey, Durability durability)
            throws IOException {
        Path real = from.real(source.getParent()).resolve(source.getFileName());
        BasicFileAttributes file = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (file.isDirectory()) {
            return false;
        } else if (!file.isRegularFile()) {
            throw new UnsupportedException(sourceKey + " in " + from.describe() + " is a link; links cannot be moved");
        } else if (JournalDirectory.of(real).isUnderWay()) {
            throw new StoreException(sourceKey + " in " + from.describe()
                    + " is being changed in place, or such a change " + "was interrupted: repair it first");
        }
        Path place = to.make(target.getParent()).resolve(target.getFileName());
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreException("moving " + sourceKey + " in " + from.describe() + ": " + targetKey + " in "
                    + to.describe() + " already exists");
        }
        try {
            OpenHandles.change(
                    real, OpenHandles.PATIENCE, () -> Files.move(real, place, StandardCopyOption.ATOMIC_MOVE));
        } catch (AtomicMoveNotSupportedException | UnsupportedOperationException e) {
            throw new UnsupportedException(
                    from.describe() + " and " + to.describe() + " lie on different file systems, or "
                            + "on one without atomic moves: files can be copied, not moved",
                    e);
        }
        JournalDirectory.of(place).clear();
        if (durability == Durability.FORCED) {
            entries.forceNew(place);
            Directories.force(real.getParent(), 0);
        }
        return true;
    }
}
