package dev.shardkit.cli.print;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The names of streams that were copied to temporary files, for messages. Thread-safe. */
public final class StreamNames {
    private static final Map<Path, String> NAMES = new ConcurrentHashMap<>();

    private StreamNames() {}

    /** Gives the copy of a stream the name of the stream. */
    public static void put(Path copy, String name) {
        NAMES.put(copy, name);
    }

    /** Returns {@code message} with the names of streams in place of their copies. */
    static String in(String message) {
        String text = message;
        for (Map.Entry<Path, String> stream : NAMES.entrySet()) {
            text = text.replace(stream.getKey().toString(), stream.getValue());
        }
        return text;
    }
}
