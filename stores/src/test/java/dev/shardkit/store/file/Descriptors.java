package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The open file descriptors of this process; tests that count them are skipped where there is no {@code /proc}. */
public final class Descriptors {
    private Descriptors() {}

    /** Returns the number of descriptors that lead below a directory. */
    public static long below(Path directory) throws IOException {
        Path all = Path.of("/proc/self/fd");
        assumeTrue(File.separatorChar == '/' && Files.isDirectory(all));
        Path real = directory.toRealPath();
        try (Stream<Path> descriptors = Files.list(all)) {
            return descriptors.filter(d -> leadsBelow(d, real)).count();
        }
    }

    private static boolean leadsBelow(Path descriptor, Path directory) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(directory);
        } catch (IOException e) {
            return false;
        }
    }
}
