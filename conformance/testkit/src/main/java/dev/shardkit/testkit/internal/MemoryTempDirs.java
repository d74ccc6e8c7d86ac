package dev.shardkit.testkit.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Puts temporary folders of tests into memory where Linux has room for them, because the file store forces what it
 * writes, and a disk takes milliseconds for that. Elsewhere they are in the usual place.
 */
public final class MemoryTempDirs implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** Some tests write files of gigabytes. */
    private static final long ROOM = 6L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension) throws IOException {
        boolean hasRoom = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM;
        return hasRoom ? Files.createTempDirectory(MEMORY, "junit-") : Files.createTempDirectory("junit-");
    }
}
