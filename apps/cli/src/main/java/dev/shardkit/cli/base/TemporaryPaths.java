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

/** Temporary files and folders of this process. A signal that ends the process removes them too. Thread-safe. */
public final class TemporaryPaths {
    private static final Set<Path> ALL = ConcurrentHashMap.newKeySet();

    private static final int MAX_SECONDS = 10;

    private static volatile boolean isEnding;
    private static volatile boolean isReading;

    private TemporaryPaths() {}

    /** Whether the process is ending, so that running work fails. */
    public static boolean isEnding() {
        return isEnding;
    }

    /**
     * Whether a stream is being copied: a thread that waits for its bytes cannot be stopped, and has changed nothing.
     */
    static boolean isReading() {
        return isReading;
    }

    /** Removes the temporary paths, unfinished output files and imports when a signal ends the process. */
    public static void removeAtEnd() {
        Runtime.getRuntime().addShutdownHook(new Thread(TemporaryPaths::removeAll, "shardkit-temporary-paths"));
    }

    private static void removeAll() {
        isEnding = true;
        Interrupts.stop();
        OutputFile.removeUnfinished();
        StagedImport.removeUnfinished();
        FileStore.endPuts(Duration.ofSeconds(MAX_SECONDS));
        for (Path path : ALL) {
            try {
                remove(path);
            } catch (IOException e) {
                continue; // the system's folder for temporary files keeps it
            }
        }
    }

    /** Makes a folder. */
    public static Path folder(String prefix) throws IOException {
        Path made = Files.createTempDirectory(prefix);
        ALL.add(made);
        return made;
    }

    /** Copies a stream to a file. A pipe has no position, so it is only read. */
    static Path spooled(String name, String suffix, InputStream in) throws IOException {
        Path made = Files.createTempFile("shardkit-input-", suffix);
        ALL.add(made);
        StreamNames.put(made, name);
        try (OutputStream out = Files.newOutputStream(made)) {
            isReading = true;
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
            if (isEnding) { // the signal may have ended the writer of the pipe too, so this is not its end
                throw new InterruptedIOException("interrupted while reading the input");
            }
            return made;
        } catch (IOException | RuntimeException e) {
            remove(made);
            throw e;
        } finally {
            isReading = false;
        }
    }

    /** Removes a path with everything below it. */
    public static void remove(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(one);
            }
        } finally {
            ALL.remove(path);
        }
    }
}
