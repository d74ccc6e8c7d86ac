package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.SystemErrorText;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.lock.LockRegistry;
import dev.shardkit.store.filesystem.DirectoryOpener;
import dev.shardkit.store.keys.Keys;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The root directory of a file store. Maps keys to paths below it, refuses links that {@link LinkPolicy} does not
 * allow, and turns failures of the file system into errors of the store. Thread-safe.
 */
final class StoreDirectory {
    /** The maximum length of a name on POSIX systems, in bytes. */
    private static final int LONGEST_NAME = 255;
    /**
     * The maximum length of an object's path on POSIX systems, in bytes. The system's limit is 4,096. The difference is
     * for the longer paths of the store's own files beside an object: locks, journals, temporary files.
     */
    private static final int LONGEST_PATH = 4096 - 320;
    /** The maximum length of an object's path on Windows, in UTF-16 units. The system's limit is 32,767. */
    private static final int LONGEST_WINDOWS_PATH = 32_767 - 320;

    /** The number of characters of a key after which messages cut it off. */
    private static final int SHOWN = 80;

    /** Java puts this character in place of bytes of a file's name that it cannot decode. */
    private static final char REPLACEMENT = '\uFFFD';

    private static final String NEITHER = "neither a directory nor a file (such as a named pipe or a device)";

    private final Path root;
    private final LinkPolicy links;
    /** Whether the file system limits the lengths of names and paths as POSIX systems do. */
    private final boolean hasPosixLimits;
    /** Whether the file system has the naming rules of Windows. */
    private final boolean windows;

    /** The length of the root's path: UTF-16 units on Windows, bytes elsewhere. */
    private final int rootLength;

    /** The directories that this store created and whose entries in their parents were not forced to disk yet. */
    private final Set<Path> unforced = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Path realRoot;

    StoreDirectory(Path root, LinkPolicy links) {
        this.root = root.toAbsolutePath().normalize();
        this.links = links;
        this.hasPosixLimits = root.getFileSystem() == FileSystems.getDefault()
                && root.getFileSystem().supportedFileAttributeViews().contains("posix");
        this.windows = root.getFileSystem().getSeparator().equals("\\");
        this.rootLength =
                windows ? this.root.toString().length() : this.root.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    Path root() {
        return root;
    }

    String describe() {
        return root.getFileSystem() == FileSystems.getDefault()
                ? "file:" + root
                : root.toUri().toString();
    }

    /** Returns the path of a key, without checking links. */
    Path path(String key) {
        return resolve(Keys.parts(key), key);
    }

    /** Returns the directory of a prefix, without checking links. */
    Path directory(String prefix) {
        return resolve(Keys.prefixParts(prefix), prefix);
    }

    private Path resolve(List<String> parts, String key) {
        checkLengths(parts, key);
        Path path = root;
        for (String part : parts) {
            if (windows) {
                WindowsNames.refusal(part).ifPresent(reason -> {
                    throw new IllegalArgumentException("not a key on Windows: \"" + shown(key) + "\": " + reason);
                });
            }
            try {
                Path next = path.resolve(part);
                // On systems where a name can contain separators ("C:", "a\b"), the path would not grow by exactly one
                // name.
                if (next.getNameCount() != path.getNameCount() + 1
                        || !next.startsWith(path)
                        || !next.getFileName().toString().equals(part)) {
                    throw new IllegalArgumentException("not a key on this file system: \"" + key + "\"");
                }
                path = next;
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException(
                        "not a key on this file system: \"" + key + "\": " + e.getReason(), e);
            }
        }
        return path;
    }

    /**
     * Refuses names and paths that no file system supports. The check comes first, because otherwise a put would create
     * the directories of the path before it fails.
     */
    private void checkLengths(List<String> parts, String key) {
        if (windows) { // other checks of names are in WindowsNames
            checkPathLength(rootLength + 1L + key.length(), parts.size(), LONGEST_WINDOWS_PATH, "characters", key);
        }
        if (!hasPosixLimits) {
            return;
        }
        long length = rootLength;
        for (String part : parts) {
            // A UTF-16 unit takes at most 3 bytes of UTF-8, so a short name certainly fits, and its bytes are not
            // counted.
            int size = part.length() <= LONGEST_NAME / 3 ? part.length() : part.getBytes(StandardCharsets.UTF_8).length;
            if (size > LONGEST_NAME) {
                throw tooLong(key, "a name of " + size + " bytes; file systems support names of " + LONGEST_NAME);
            }
            length += 1 + size;
        }
        checkPathLength(length, parts.size(), LONGEST_PATH, "bytes", key);
    }

    private void checkPathLength(long length, int names, int maxLength, String unit, String key) {
        if (length > maxLength) {
            throw tooLong(
                    key,
                    "a path of " + length + " " + unit + " and " + names + " names; file systems support paths of "
                            + maxLength + " " + unit + " including the store's own names");
        }
    }

    private StoreException tooLong(String key, String reason) {
        return new StoreException("the key " + shown(key) + " in " + describe() + " cannot be a file: found " + reason);
    }

    /** Returns the first characters of a key, for messages. */
    static String shown(String key) {
        return key.length() > SHOWN ? key.substring(0, SHOWN) + "..." : key;
    }

    /**
     * Returns the real path of {@code path}.
     *
     * @throws NoSuchFileException if it does not exist
     * @throws StoreException if a link leads out of the root, back to a folder above it, or to the store's own files
     */
    Path real(Path path) throws IOException {
        Path real = path.toRealPath();
        if (links == LinkPolicy.INSIDE_ROOT && !real.startsWith(realRoot())) {
            throw new StoreException(
                    "a symbolic link leads out of " + describe() + ": " + root.relativize(path) + " is "
                            + real + "; to follow it, use ZarrOptions.withLinks(SymbolicLinks.FOLLOW) "
                            + "or LinkPolicy.ANYWHERE");
        } else if (isReserved(real)) {
            throw new StoreException("a symbolic link leads to the store's own files, in " + Keys.RESERVED + ": "
                    + root.relativize(path) + " in " + describe());
        }
        LinkCycles.refuse(root, realRoot(), path, real);
        return real;
    }

    /**
     * Returns whether a path is inside the directory of lock files and journals. They must not be opened as objects,
     * because closing them would drop locks ({@link LockRegistry}).
     */
    private boolean isReserved(Path real) throws IOException {
        if (!real.toString().contains(Keys.RESERVED)) {
            return false;
        }
        Path relative = real.startsWith(realRoot()) ? realRoot().relativize(real) : real;
        for (Path name : relative) {
            if (name.toString().equals(Keys.RESERVED)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the real path of {@code path}; if it does not exist, the path that it would have. */
    Path realOrFuture(Path path) throws IOException {
        try {
            return real(path);
        } catch (NoSuchFileException e) {
            return real(path.getParent()).resolve(path.getFileName());
        }
    }

    /** Returns the real path of the root. */
    Path realRoot() throws IOException {
        Path cached = realRoot;
        if (cached == null) {
            cached = root.toRealPath();
            realRoot = cached;
        }
        return cached;
    }

    /** Creates the directory at {@code path} with its missing parents, and returns it. */
    Path createDirectory(Path path) throws IOException {
        try {
            return real(path);
        } catch (NoSuchFileException e) {
            Path parent = path.getParent();
            if (path.equals(root) || parent == null) {
                createRoot();
                return real(path);
            }
            Path created = createDirectory(parent).resolve(path.getFileName());
            Files.createDirectories(created);
            return created;
        }
    }

    private void createRoot() throws IOException {
        refuseBlockedRoot();
        List<Path> missing = new ArrayList<>();
        for (Path folder = root; folder != null && Files.notExists(folder); folder = folder.getParent()) {
            missing.add(folder);
        }
        Files.createDirectories(root);
        for (Path created : missing) {
            unforced.add(created.toRealPath());
        }
    }

    /**
     * Returns the directories, from the root upwards, that this store created and whose entries were not forced yet.
     */
    List<Path> unforced() {
        return unforced.isEmpty() ? List.of() : List.copyOf(unforced);
    }

    /** Records that the entry of one of these directories was forced. */
    void recordForced(Path directory) {
        unforced.remove(directory);
    }

    /** A call that reads or changes files. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws IOException;
    }

    /**
     * Runs a call on the file at {@code path}. Turns an {@link IOException} into {@code absent} or a StoreException.
     *
     * @param operation the operation, for messages, such as "opening"
     * @param absent the result if the file does not exist
     */
    <T> T call(Path path, String operation, String key, T absent, Call<T> call) {
        try {
            return call.run();
        } catch (IOException e) {
            if (isAbsent(path, e)) {
                return absent;
            }
            throw failed(operation, key, e);
        }
    }

    /**
     * Returns whether the directory of {@code path} exists and certainly has no file of this name. The check is cheaper
     * than a failed attempt to open the file, and readers look for many documents that do not exist. If it returns
     * false, the file may exist, may be absent, or access to it may be denied.
     */
    boolean isMissing(Path path) {
        try {
            ReservedFiles.attributes(path); // of a dangling link, too
            return false;
        } catch (NoSuchFileException e) {
            Path parent = path.getParent();
            return path.toString().indexOf(REPLACEMENT) < 0 // otherwise Java may not be able to decode the name
                    && parent != null
                    && Files.isDirectory(parent);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns whether a failure to access {@code path} means that the file certainly does not exist.
     *
     * @throws StoreException if a symbolic link in the path is dangling, because its target may be on a disk that is
     *     not mounted; or if the directory has a file whose name Java cannot decode and shows as {@code path}
     */
    boolean isAbsent(Path path, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            refuseDanglingLink(path);
            refuseUndecodable(path);
            return true;
        } else if (!(failure instanceof FileSystemException) || failure instanceof AccessDeniedException) {
            return false;
        }
        // A path below a file is absent, too. The system's exception for it has no specific type, so look at the
        // folders above.
        for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
            try {
                return !Files.readAttributes(folder, BasicFileAttributes.class).isDirectory();
            } catch (NoSuchFileException e) {
                return true;
            } catch (IOException e) {
                continue;
            }
        }
        return false;
    }

    /** Throws if the root cannot be created because it is, or lies below, a file or a dangling symbolic link. */
    private void refuseBlockedRoot() {
        for (Path folder = root; folder != null; folder = folder.getParent()) {
            if (Files.isSymbolicLink(folder) && Files.notExists(folder)) {
                throw new StoreException("cannot make the folder " + root + ": the symbolic link " + folder
                        + " leads to a place that does not exist" + target(folder)
                        + "; make that folder, or remove the link");
            } else if (Files.isRegularFile(folder)) {
                throw new StoreException(
                        "cannot make the folder " + root + ": " + folder + " is a file" + inArchive(folder));
            } else if (isNonDirectory(folder)) {
                throw new StoreException((folder.equals(root) ? "" : "cannot make the folder " + root + ": ")
                        + "expected a directory, found " + NEITHER + ": " + folder);
            } else if (Files.exists(folder)) {
                return;
            }
        }
    }

    /** Returns the end of the message about a file in place of a folder, with advice if it is a ZIP archive. */
    private String inArchive(Path file) {
        return file.toString().matches("(?i).*\\.(zip|ozx)")
                ? "; a path in a ZIP archive is given as zip:" + file + "!"
                        + file.relativize(root).toString().replace(File.separatorChar, '/')
                : ", not a folder";
    }

    private void refuseDanglingLink(Path path) {
        for (Path p = path; p != null && !p.equals(root) && p.startsWith(root); p = p.getParent()) {
            if (Files.isSymbolicLink(p)) {
                if (Files.notExists(p)) {
                    throw new StoreException("the symbolic link " + root.relativize(p) + " in " + describe()
                            + " leads to a file that does not exist" + target(p));
                }
                return;
            } else if (Files.exists(p)) {
                return;
            }
        }
    }

    /**
     * Throws if a file in the path has a name that Java cannot decode. Listings show such a name with replacement
     * characters, and a path with these characters does not lead to the file.
     */
    private void refuseUndecodable(Path path) {
        for (Path p = path; p != null && !p.equals(root) && p.startsWith(root); p = p.getParent()) {
            if (p.getFileName().toString().indexOf(REPLACEMENT) >= 0 && Files.notExists(p)) {
                refuseUndecodable(p.getParent(), p.getFileName());
            }
        }
    }

    private void refuseUndecodable(Path directory, Path name) {
        try (DirectoryStream<Path> files = DirectoryOpener.open(directory)) {
            for (Path file : files) {
                Path stored = file.getFileName();
                if (stored.toString().equals(name.toString()) && !stored.equals(name)) {
                    throw new StoreException("expected names in UTF-8 in " + describe() + ", found " + encoded(file)
                            + " (percent-encoded) in " + directory + "; rename it");
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // the directory does not exist, or another call will report the failure
        }
    }

    /** Returns the name of a file with its bytes percent-encoded. */
    private static String encoded(Path file) {
        String path = file.toUri().getRawPath().replaceAll("/$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns the target of a link, for messages; "" if it cannot be read. */
    private static String target(Path link) {
        try {
            return ": " + Files.readSymbolicLink(link);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the error about a failed operation; explains common causes better than the file system does. */
    StoreException failed(String operation, String key, IOException cause) {
        if (cause instanceof FileSystemException) {
            refuseBlockedRoot(); // its message says more than the system's
        }
        Optional<Path> blocked = blockingFile(key, cause);
        if (blocked.isPresent()) {
            return new StoreException(
                    operation + " " + (key.isEmpty() ? "the root" : key) + " in " + describe()
                            + " failed: expected a directory, found "
                            + (Files.isRegularFile(blocked.get()) ? "a file" : NEITHER) + ": " + blocked.get(),
                    cause);
        }
        return new StoreException(
                operation + " " + (key.isEmpty() ? "the root" : key) + " in " + describe() + " failed: "
                        + SystemErrorText.of(cause),
                cause);
    }

    /** Returns the file that is in the place of a directory above the key, if that is the cause of a failure. */
    private Optional<Path> blockingFile(String key, IOException cause) {
        if (cause instanceof NotDirectoryException named && named.getFile() != null) {
            return Optional.of(root.getFileSystem().getPath(named.getFile()));
        } else if (cause instanceof FileSystemException) {
            // The system's exception for a path below a file has no specific type, so look.
            return fileAt(root.resolve(key).getParent());
        }
        return Optional.empty();
    }

    /** Returns the first path, from {@code directory} up to the root, at which there is something but no directory. */
    Optional<Path> fileAt(Path directory) {
        for (Path ancestor = directory;
                ancestor != null && ancestor.startsWith(root);
                ancestor = ancestor.getParent()) {
            if (isNonDirectory(ancestor)) {
                return Optional.of(ancestor);
            }
        }
        return Optional.empty();
    }

    /** Returns whether something other than a directory is at the path; false if it cannot be determined. */
    private static boolean isNonDirectory(Path path) {
        try {
            return !Files.readAttributes(path, BasicFileAttributes.class).isDirectory();
        } catch (IOException e) {
            return false;
        }
    }
}
