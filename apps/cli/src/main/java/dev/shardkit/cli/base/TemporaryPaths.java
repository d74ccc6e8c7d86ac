package dev.shardkit.cli.base;

import dev.shardkit.cli.print.StreamNames;
import dev.shardkit.files.OutputFile;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Temporary files and folders of this process. Commands delete them at their end. If a signal ends the process, a
 * shutdown hook deletes them. Thread-safe.
 */
public final class TemporaryPaths {
    private static final Set<Path> PATHS = ConcurrentHashMap.newKeySet();

    /** How long the shutdown waits for local files that are being written. */
    private static final int MAX_SECONDS = 10;

    private static volatile boolean isEnding;
    private static volatile boolean isReading;

    private TemporaryPaths() {}

    /** Whether the process is ending, so that running work fails. */
    public static boolean isEnding() {
        return isEnding;
    }

    /**
     * Whether a thread is copying an input to a temporary file. This thread cannot be interrupted while it waits for
     * bytes, but it has not changed any stored data yet.
     */
    static boolean isReading() {
        return isReading;
    }

    /** Makes a signal that ends the process also remove temporary paths, unfinished output files and imports. */
    public static void removeAtEnd() {
        Runtime.getRuntime().addShutdownHook(new Thread(TemporaryPaths::removeAll, "shardkit-temporary-paths"));
    }

    private static void removeAll() {
        isEnding = true;
        Interrupts.stop();
        OutputFile.removeUnfinished();
        StagedImport.removeUnfinished();
        FileStore.endPuts(Duration.ofSeconds(MAX_SECONDS));
        for (Path path : PATHS) {
            try {
                delete(path);
            } catch (IOException e) {
                continue; // the path stays in the system's folder for temporary files
            }
        }
    }

    /** Creates a temporary folder. */
    public static Path createFolder(String prefix) throws IOException {
        Path path = Files.createTempDirectory(prefix);
        PATHS.add(path);
        return path;
    }

    /** Copies a stream to a temporary file. */
    static Path copyStream(String name, String suffix, InputStream in) throws IOException {
        Path path = Files.createTempFile("shardkit-input-", suffix);
        PATHS.add(path);
        StreamNames.record(path, name);
        try (OutputStream out = Files.newOutputStream(path)) {
            isReading = true;
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
            if (isEnding) { // the signal may have stopped the writer of the pipe too, so the input may be incomplete
                throw new InterruptedIOException("interrupted while reading the input");
            }
            return path;
        } catch (IOException | RuntimeException e) {
            delete(path);
            throw e;
        } finally {
            isReading = false;
        }
    }

    /** Deletes a temporary path and everything below it. */
    public static void delete(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path entry : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
        } finally {
            PATHS.remove(path);
        }
    }
}
