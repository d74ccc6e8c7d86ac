package dev.shardkit.testkit.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary folders of tests in memory if Linux has enough of it; otherwise in the usual place. The file store
 * forces its writes to the device, which takes milliseconds on a disk.
 */
public final class MemoryTempDirs implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** The required number of free bytes: some tests write files of gigabytes. */
    private static final long ROOM = 6L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension) throws IOException {
        boolean hasRoom = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM;
        return hasRoom ? Files.createTempDirectory(MEMORY, "junit-") : Files.createTempDirectory("junit-");
    }
}
