package dev.shardkit.pictures;

/** Words of commands that users paste into a shell. Stateless. */
public final class ShellWords {
    private ShellWords() {}

    /** Returns a word in quotes if a shell would change it, as {@code !} and spaces. */
    public static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:@%+=,^~-]+") && !word.startsWith("~")
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }
}
