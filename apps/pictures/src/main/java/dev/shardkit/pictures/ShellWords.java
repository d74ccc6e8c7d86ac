package dev.shardkit.pictures;

import java.io.File;

/** Quotes the words of commands in messages and reports, so that users can paste them into a shell. Stateless. */
public final class ShellWords {
    private ShellWords() {}

    /** Returns a word in quotes if a shell would change it, for example because it contains {@code !} or spaces. */
    public static String quoted(String word) {
        return quoted(word, File.separatorChar);
    }

    /**
     * Quotes a word for the shells of a system whose paths have this separator. The shells of Windows need double
     * quotes.
     */
    static String quoted(String word, char separator) {
        if (separator == '\\') {
            return word.matches("[A-Za-z0-9_./\\\\:@+=~-]+") ? word : "\"" + word.replace("\"", "\\\"") + "\"";
        }
        return word.matches("[A-Za-z0-9_./:@%+=,^~-]+") && !word.startsWith("~")
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }
}
