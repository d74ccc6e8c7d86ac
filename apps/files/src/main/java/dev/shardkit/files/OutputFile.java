package dev.shardkit.files;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes output files. A regular file is written under a temporary name beside it and then renamed, so a failure keeps
 * the old file. Devices and pipes are written directly. Thread-safe.
 */
public final class OutputFile {
    private static final int BUFFER = 1 << 16;
    /** The temporary files of calls that have not ended. */
    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    private OutputFile() {}

    /** Writes the content of a file. */
    public interface Writer {
        /** Writes the content. */
        void write(OutputStream out) throws IOException;
    }

    /**
     * Replaces the file at {@code path} by the output of {@code content}, or leaves it unchanged on failure.
     *
     * @throws IOException if the file cannot be written, or if {@code content} throws it
     */
    public static void write(Path path, Writer content) throws IOException {
        boolean exists = Files.exists(path);
        if (exists && !Files.isRegularFile(path)) {
            fill(path, path, content, StandardOpenOption.WRITE);
            return;
        }
        Path target = exists ? path.toRealPath() : path.toAbsolutePath();
        if (exists && !Files.isWritable(target)) {
            Files.newByteChannel(target, StandardOpenOption.WRITE).close(); // opening it fails with the reason
        }
        Path made = target.resolveSibling(".shardkit-" + UUID.randomUUID());
        UNFINISHED.add(made);
        try {
            fill(made, path, content, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            if (exists && target.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(target));
            }
            move(made, target);
        } catch (NoSuchFileException e) {
            throw made.toString().equals(e.getFile())
                    ? new NoSuchFileException(
                            path.toString(),
                            null,
                            "the folder " + target.getParent() + " does not exist; create it first")
                    : e;
        } catch (FileSystemException e) {
            throw made.toString().equals(e.getFile()) ? of(path, e) : e;
        } finally {
            Files.deleteIfExists(made);
            UNFINISHED.remove(made);
        }
    }

    /** Returns a failure of the temporary file as one of the file that the caller knows. */
    private static FileSystemException of(Path path, FileSystemException failure) {
        FileSystemException known = failure instanceof AccessDeniedException
                ? new AccessDeniedException(path.toString(), null, failure.getReason())
                : new FileSystemException(path.toString(), null, failure.getReason());
        known.initCause(failure);
        return known;
    }

    /** Removes the temporary files of calls that have not ended, for a program that a signal ends. Those calls fail. */
    public static void removeUnfinished() {
        for (Path made : UNFINISHED) {
            try {
                Files.deleteIfExists(made);
            } catch (IOException e) {
                continue; // the folder no longer allows it
            }
        }
    }

    private static void fill(Path path, Path named, Writer content, StandardOpenOption... options) throws IOException {
        try (OutputStream out =
                new BufferedOutputStream(new Named(Files.newOutputStream(path, options), named), BUFFER)) {
            content.write(out);
        }
    }

    /** Adds the name of the file to failures. Those of the system, such as a full disk, do not have it. */
    private static final class Named extends FilterOutputStream {
        private final Path path;

        Named(OutputStream out, Path path) {
            super(out);
            this.path = path;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (FileSystemException e) {
                throw e;
            } catch (IOException e) {
                FileSystemException named = new FileSystemException(path.toString(), null, e.getMessage());
                named.initCause(e);
                throw named;
            }
        }
    }

    private static void move(Path made, Path target) throws IOException {
        try {
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(made, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
