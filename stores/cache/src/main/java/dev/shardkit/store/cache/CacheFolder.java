package dev.shardkit.store.cache;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.filesystem.DirectoryOpener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folder of cached files. Several stores may share it, in this process and in others. A marker file says that the
 * folder is a cache. Files appear by atomic renames. Links below the folder are not followed. There are no locks
 * between processes, so every file is checked when it is read. Thread-safe.
 */
final class CacheFolder {
    static final String MARKER = "shardkit-cache";
    static final String OBJECTS = "objects";
    static final String TEMPORARY = "tmp";

    private static final String MARKING =
            "This folder is a cache of shardkit, version 1. Its files may be deleted at any time.\n";
    /**
     * The open folders by path. One object for each folder, so that all stores of the process count its bytes together.
     * Never removed, because there are few.
     */
    private static final Map<Path, CacheFolder> OPEN = new ConcurrentHashMap<>();

    private final Path root;
    private final DiskSpace space;

    private CacheFolder(Path root) {
        this.root = root;
        this.space = new DiskSpace(root);
    }

    /**
     * Returns the folder, which need not exist.
     *
     * @throws StoreException if it exists and is not a cache
     */
    static CacheFolder at(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath().normalize();
        Path realPath = Files.exists(absolute) ? absolute.toRealPath() : absolute;
        checkOurs(realPath);
        return OPEN.computeIfAbsent(realPath, CacheFolder::new);
    }

    /** Throws unless the folder is absent, empty or a cache. */
    private static void checkOurs(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isFolder(root)) {
            throw new StoreException("the cache folder " + root + " is not a folder");
        }
        // This check comes first. Another store may use the folder meanwhile: it creates the marker before any other
        // file, so a folder that was not empty has a marker.
        try (DirectoryStream<Path> files = DirectoryOpener.open(root, LinkOption.NOFOLLOW_LINKS)) {
            if (!files.iterator().hasNext()) {
                return;
            }
        }
        Path marker = root.resolve(MARKER);
        if (isFile(marker) && Files.size(marker) <= MARKING.length()) {
            String content = Files.readString(marker, StandardCharsets.UTF_8);
            if (MARKING.startsWith(content)) { // a killed writer leaves only the beginning
                return;
            }
        }
        throw new StoreException("the folder " + root + " is not a cache of shardkit: expected no files or a file "
                + MARKER + " of version 1; choose an empty folder for the cache");
    }

    Path root() {
        return root;
    }

    /** Returns the counter of the bytes that the files take. */
    DiskSpace space() {
        return space;
    }

    /** Returns whether there is a regular file, not a link to one. */
    static boolean isFile(Path file) {
        return attributes(file).filter(BasicFileAttributes::isRegularFile).isPresent();
    }

    /** Returns whether there is a folder, not a link to one. */
    static boolean isFolder(Path folder) {
        return attributes(folder).filter(BasicFileAttributes::isDirectory).isPresent();
    }

    static Optional<BasicFileAttributes> attributes(Path file) {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns whether {@code folder} below the root is reached without links. */
    boolean isReached(Path folder) {
        for (Path current = folder; !current.equals(root); current = current.getParent()) {
            if (!isFolder(current)) {
                return false;
            }
        }
        return true;
    }

    /** Opens a file to read it; empty if it does not exist or is not a regular file. */
    Optional<FileChannel> open(Path file) throws IOException {
        if (!isFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // evicted in the meantime
        }
    }

    /** Writes a file's content. */
    interface Writer {
        void writeTo(FileChannel out) throws IOException;
    }

    /** Stores a file atomically, replacing an older file with the same name. */
    void put(Path file, Writer content) throws IOException {
        prepare();
        Path temporary =
                createFolder(root.resolve(TEMPORARY)).resolve(UUID.randomUUID().toString());
        try {
            try (FileChannel out =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                content.writeTo(out);
            }
            publish(temporary, file);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void publish(Path temporary, Path file) throws IOException {
        try {
            Files.move(temporary, ensure(file.getParent()).resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) { // another process has removed the empty folder
            Files.move(temporary, ensure(file.getParent()).resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Initializes the folder as a cache, unless it is one already. */
    private void prepare() throws IOException {
        Path marker = root.resolve(MARKER);
        if (isFile(marker) && Files.size(marker) == MARKING.length()) {
            return;
        }
        if (!isFolder(root)) {
            Optional<Path> parent = Optional.ofNullable(root.getParent());
            if (parent.isPresent()) {
                Files.createDirectories(parent.get());
            }
            createFolder(root);
        }
        checkOurs(root);
        try (FileChannel out = FileChannel.open(
                marker, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            out.write(ByteBuffer.wrap(MARKING.getBytes(StandardCharsets.UTF_8))); // every process writes the same bytes
        }
    }

    /** Creates a folder below the root and those above it, unless they exist. */
    private Path ensure(Path folder) throws IOException {
        if (!folder.equals(root)) {
            ensure(folder.getParent());
            createFolder(folder);
        }
        return folder;
    }

    /** Creates a folder that only this user can access. */
    private static Path createFolder(Path folder) throws IOException {
        if (isFolder(folder)) {
            return folder;
        }
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownerOnly = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        try {
            Files.createDirectory(folder, ownerOnly);
        } catch (FileAlreadyExistsException e) {
            if (!isFolder(folder)) {
                throw e; // a link, or a file
            }
        }
        return folder;
    }

    /** Removes a file or a link; a file that cannot be removed stays. */
    static boolean remove(Path file) {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            return false;
        }
    }
}
