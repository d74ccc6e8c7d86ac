package dev.shardkit.store.file.open;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Reads the process's limit on open files, which Linux reports in {@code /proc}. */
final class FileLimit {
    /** The usual limit of POSIX systems, for systems that do not report theirs. */
    private static final long USUAL = 1024;

    /** The beginning of the line with the limit; the next word is its current value. */
    private static final String LINE = "Max open files";

    private FileLimit() {}

    /** Returns the maximum number of open files of this process. The limit does not change after the JVM's start. */
    static long ofProcess() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
            return lines.filter(line -> line.startsWith(LINE))
                    .map(line -> line.substring(LINE.length()).strip().split("\\s+")[0])
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
