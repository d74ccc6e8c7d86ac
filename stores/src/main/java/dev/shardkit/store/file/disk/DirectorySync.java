package dev.shardkit.store.file.disk;

import dev.shardkit.store.file.lock.LockRegistry;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Forces directories to the disk (fsync), so that new and renamed files are found after a power failure. */
public final class DirectorySync {
    /**
     * Whether directories can be forced, by device. The first attempt on a device decides. If Java does not show
     * devices, an attempt on the root of the file system decides. Windows cannot even open directories.
     */
    private static final Map<FileSystem, Map<Object, Boolean>> CAN_FORCE =
            Collections.synchronizedMap(new WeakHashMap<>());

    private static final Object NO_DEVICE = "";

    private DirectorySync() {}

    /** Forces a directory and {@code parents} directories above it. Does nothing on platforms that cannot do it. */
    public static void force(Path directory, int parents) throws IOException {
        Path current = directory;
        for (int i = 0; i <= parents && current != null; i++, current = current.getParent()) {
            forceOne(current);
        }
    }

    private static void forceOne(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            channel.force(true);
        } catch (UnsupportedOperationException e) {
            return;
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            if (isPossible(directory, e)) {
                throw e;
            }
            return;
        }
        if (hasDevices(directory.getFileSystem())) {
            canForceByDevice(directory).put(device(directory), true);
        }
    }

    private static boolean hasDevices(FileSystem files) {
        return files.supportedFileAttributeViews().contains("unix");
    }

    private static Map<Object, Boolean> canForceByDevice(Path directory) {
        return CAN_FORCE.computeIfAbsent(directory.getFileSystem(), files -> new ConcurrentHashMap<>());
    }

    private static Object device(Path directory) throws IOException {
        return Files.getAttribute(directory, "unix:dev", LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether the platform can force directories, so that {@code failure} must be reported. */
    private static boolean isPossible(Path directory, IOException failure) throws IOException {
        if (!hasDevices(directory.getFileSystem())) {
            return canForceByDevice(directory).computeIfAbsent(NO_DEVICE, key -> canForce(directory.getFileSystem()));
        }
        // fsync(2) reports EINVAL ("Invalid argument") if a file does not support synchronization, as for directories
        // of some network file systems. If a directory of this device was forced before, EINVAL is a failure like any
        // other.
        return !"Invalid argument".equals(failure.getMessage())
                || Boolean.TRUE.equals(canForceByDevice(directory).putIfAbsent(device(directory), false));
    }

    private static boolean canForce(FileSystem files) {
        for (Path root : files.getRootDirectories()) {
            try (FileChannel channel = FileChannel.open(root, StandardOpenOption.READ)) {
                channel.force(true);
                return true;
            } catch (IOException | UnsupportedOperationException e) {
                continue;
            }
        }
        return false;
    }

    /**
     * Forces a directory with all files and directories below it. Skips lock files and journals, because closing a
     * second channel to a locked file would drop its locks ({@link LockRegistry}).
     */
    public static void forceAll(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
                boolean locks = inner.getFileName() != null
                        && inner.getFileName().toString().equals(Keys.RESERVED);
                return locks ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    forceFile(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE; // deleted in the meantime
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                force(inner, 0);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void forceFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (NoSuchFileException | UnsupportedOperationException e) {
            return; // deleted in the meantime, or the file system has no channels that can be forced
        }
    }
}
