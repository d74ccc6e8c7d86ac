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
 * Recognizes files on the local disk of the store's root, on POSIX systems. Such files can be replaced and deleted
 * while they are open, and their attributes are never stale, unlike those on network file systems. Thread-safe.
 */
public final class LocalDiskCheck {
    /** The types of local file systems, as {@link java.nio.file.FileStore#type} names them. */
    private static final Set<String> TYPES = Set.of(
            "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "tmpfs", "ramfs", "overlay", "apfs", "hfs", "ufs");

    private final Path root;
    /** The number of the root's device; empty if it is not a local disk; null before it is known. */
    private volatile @Nullable Optional<Object> device;

    /** Creates a check of files below {@code root}. */
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
     * Returns whether the directory at {@code path} is known to contain no directories. On most local file systems, the
     * link count of a directory is 2 (its name and its entry ".") plus the number of directories in it (their entries
     * ".."). File systems that do not count links report another number than 2.
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
            return Optional.empty(); // without a known disk, no files are kept open
        }
    }
}
