package dev.shardkit.testing;

import dev.shardkit.store.file.disk.FileTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * Writes files with times as file stores set them. After any other change, a file store that opens the file waits 20
 * milliseconds, until the tick of the system's clock is over, which is long for tests of hundreds of damaged files.
 */
public final class StampedFiles {
    private StampedFiles() {}

    /** Creates or replaces the content of a file. */
    public static void write(Path file, byte[] bytes) throws IOException {
        FileTime time = FileTimes.ofNext(file);
        Files.write(file, bytes);
        FileTimes.set(file, time);
    }
}
