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
 * Writes output files. Writes a regular file under a temporary name in the same folder and then renames it, so a
 * failure keeps the old file. Writes devices and pipes directly. Thread-safe.
 */
public final class OutputFile {
    private static final int BUFFER_SIZE = 1 << 16;
    /** The temporary files of calls that have not ended. */
    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    private OutputFile() {}

    /** Writes the content of a file. */
    public interface Writer {
        /** Writes the content. */
        void write(OutputStream out) throws IOException;
    }

    /**
     * Replaces the file at {@code path} by the output of {@code content}. After a failure, the old file is unchanged.
     *
     * @throws IOException if the file cannot be written, or if {@code content} throws it
     */
    public static void write(Path path, Writer content) throws IOException {
        boolean exists = Files.exists(path);
        if (exists && !Files.isRegularFile(path)) {
            writeContent(path, path, content, StandardOpenOption.WRITE);
            return;
        }
        Path target = exists ? path.toRealPath() : path.toAbsolutePath();
        if (exists && !Files.isWritable(target)) {
            Files.newByteChannel(target, StandardOpenOption.WRITE).close(); // throws with the system's reason
        }
        Path temporary = target.resolveSibling(".shardkit-" + UUID.randomUUID());
        UNFINISHED.add(temporary);
        try {
            writeContent(temporary, path, content, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            if (exists && target.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(temporary, Files.getPosixFilePermissions(target));
            }
            move(temporary, target);
        } catch (NoSuchFileException e) {
            throw temporary.toString().equals(e.getFile())
                    ? new NoSuchFileException(
                            path.toString(),
                            null,
                            "the folder " + target.getParent() + " does not exist; create it first")
                    : e;
        } catch (FileSystemException e) {
            throw temporary.toString().equals(e.getFile()) ? forTarget(path, e) : e;
        } finally {
            Files.deleteIfExists(temporary);
            UNFINISHED.remove(temporary);
        }
    }

    /** Converts a failure of the temporary file to a failure of the target file. */
    private static FileSystemException forTarget(Path path, FileSystemException failure) {
        FileSystemException translated = failure instanceof AccessDeniedException
                ? new AccessDeniedException(path.toString(), null, failure.getReason())
                : new FileSystemException(path.toString(), null, failure.getReason());
        translated.initCause(failure);
        return translated;
    }

    /**
     * Removes the temporary files of running calls. Programs call it when a signal ends them. The running calls then
     * fail.
     */
    public static void removeUnfinished() {
        for (Path temporary : UNFINISHED) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException e) {
                continue; // the file remains, for example because the folder has become read-only
            }
        }
    }

    /** Writes the content to the file {@code path}. Failures name the file {@code shown} in its place. */
    private static void writeContent(Path path, Path shown, Writer content, StandardOpenOption... options)
            throws IOException {
        try (OutputStream out =
                new BufferedOutputStream(new NamingStream(Files.newOutputStream(path, options), shown), BUFFER_SIZE)) {
            content.write(out);
        }
    }

    /** Adds the name of the file to failures. Failures of the system, such as a full disk, do not contain it. */
    private static final class NamingStream extends FilterOutputStream {
        private final Path path;

        NamingStream(OutputStream out, Path path) {
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

    private static void move(Path temporary, Path target) throws IOException {
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
