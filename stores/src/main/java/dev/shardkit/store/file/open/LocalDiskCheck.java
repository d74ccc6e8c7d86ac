package dev.shardkit.store.file.open;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes files on the local disk of the store's root, on POSIX systems. There, open files do not hinder replacing
 * or deleting them, and attributes are never stale, as they are on network file systems. Thread-safe.
 */
public final class LocalDiskCheck {
    private static final Set<String> TYPES = Set.of(
            "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "tmpfs", "ramfs", "overlay", "apfs", "hfs", "ufs");

    private final Path root;
    /** The number of the root's device; none if files there must not be kept open. */
    private volatile @Nullable Optional<Object> device;

    /** The files below {@code root}. */
    public LocalDiskCheck(Path root) {
        this.root = root;
    }

    /** Returns whether {@code file} is local. */
    public boolean holds(FileSnapshot file) {
        Optional<Object> disk = disk();
        return disk.isPresent() && file.isOn(disk.get());
    }

    /** Returns whether the existing file at {@code path} is local. */
    public boolean holds(Path path) throws IOException {
        Optional<Object> disk = disk();
        return disk.isPresent() && disk.get().equals(Files.getAttribute(path, "unix:dev"));
    }

    /**
     * Returns whether the directory at {@code path} is known to have no directories in it. On these file systems each
     * of them is a link to the directory, beside its name and its own entry; those that do not count links say another
     * number.
     */
    public boolean isLeaf(Path path) throws IOException {
        Optional<Object> disk = disk();
        if (disk.isEmpty()) {
            return false;
        }
        Map<String, Object> attributes = Files.readAttributes(path, "unix:nlink,dev");
        return disk.get().equals(attributes.get("dev")) && Integer.valueOf(2).equals(attributes.get("nlink"));
    }

    /** Returns the number of the root's device; empty if it is not a local disk. */
    public Optional<Object> disk() {
        Optional<Object> cached = device;
        if (cached == null) {
            cached = device();
            device = cached;
        }
        return cached;
    }

    private Optional<Object> device() {
        try {
            boolean local = root.getFileSystem() == FileSystems.getDefault()
                    && root.getFileSystem().supportedFileAttributeViews().contains("unix")
                    && TYPES.contains(Files.getFileStore(root).type());
            return local ? Optional.of(Files.getAttribute(root, "unix:dev")) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // then each read opens its file
        }
    }
}
