package dev.shardkit.pictures;

import java.io.File;

/** Words of commands that users paste into a shell. Stateless. */
public final class ShellWords {
    private ShellWords() {}

    /** Returns a word in quotes if a shell would change it, as {@code !} and spaces. */
    public static String quoted(String word) {
        return quoted(word, File.separatorChar);
    }

    /**
     * Quotes a word for the shells of a system whose paths have this separator. Those of Windows know double quotes.
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
