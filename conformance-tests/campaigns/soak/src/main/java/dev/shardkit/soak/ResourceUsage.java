package dev.shardkit.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The heap, file descriptors and threads that the process uses at one moment.
 *
 * @param heap used bytes after a garbage collection
 * @param descriptors open files and sockets; 0 where {@code /proc} is missing
 * @param threads live threads
 */
record ResourceUsage(long heap, long descriptors, int threads) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** Collects garbage, and measures. */
    static ResourceUsage now() throws IOException {
        Runtime runtime = Runtime.getRuntime();
        long heap = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) { // objects with cleaners are freed only by a second collection
            System.gc();
            heap = Math.min(heap, runtime.totalMemory() - runtime.freeMemory());
        }
        long descriptors = 0;
        if (Files.isDirectory(DESCRIPTORS)) {
            try (Stream<Path> open = Files.list(DESCRIPTORS)) {
                descriptors = open.count();
            }
        }
        return new ResourceUsage(heap, descriptors, Thread.activeCount());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "heap %.1f MiB, %d descriptors, %d threads", heap / 1048576.0, descriptors, threads);
    }
}
