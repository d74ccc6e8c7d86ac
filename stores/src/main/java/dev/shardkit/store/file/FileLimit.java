package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How many files the process may have open. */
final class FileLimit {
    /** The usual limit of POSIX systems, for those that do not say. */
    private static final long USUAL = 1024;

    private static final String LINE = "Max open files";

    private FileLimit() {}

    /** What the system says of this process; it does not change after the JVM's start. */
    static long ofProcess() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
            return lines.filter(l -> l.startsWith(LINE))
                    .map(l -> l.substring(LINE.length()).strip().split("\\s+")[0])
                    .mapToLong(FileLimit::number)
                    .findFirst()
                    .orElse(USUAL);
        } catch (IOException | RuntimeException e) {
            return USUAL;
        }
    }

    private static long number(String text) {
        return text.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(text);
    }
}
