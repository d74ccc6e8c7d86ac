package dev.shardkit.cli.print;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which temporary files are copies of standard input or of pipes. Messages then show the name of the stream
 * in place of the file's path. Thread-safe.
 */
public final class StreamNames {
    private static final Map<Path, String> NAMES = new ConcurrentHashMap<>();

    private StreamNames() {}

    /** Records the name of the stream that was copied to a file. */
    public static void record(Path file, String name) {
        NAMES.put(file, name);
    }

    /** Returns {@code message} with the names of streams in place of the paths of their copies. */
    static String replaceIn(String message) {
        String text = message;
        for (Map.Entry<Path, String> stream : NAMES.entrySet()) {
            text = text.replace(stream.getKey().toString(), stream.getValue());
        }
        return text;
    }
}
