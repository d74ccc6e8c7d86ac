package dev.shardkit.cli.print;

/** Text from stored data for a terminal. Without state. */
public final class Terminal {
    private Terminal() {}

    /**
     * Returns {@code text} with escapes, as in JSON, in place of control characters and of characters that change the
     * direction of text: a name must not clear the screen, forge a line or hide a part of itself.
     */
    public static String name(String text) {
        return escaped(text, false);
    }

    /** Like {@link #name}, but leaves tabs and line breaks. */
    static String lines(String text) {
        return escaped(text, true);
    }

    private static String escaped(String text, boolean breaks) {
        StringBuilder safe = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isHarmless(c) || (breaks && (c == '\t' || c == '\n' || c == '\r'))) {
                if (safe != null) {
                    safe.append(c);
                }
                continue;
            }
            if (safe == null) {
                safe = new StringBuilder(text.substring(0, i));
            }
            safe.append(String.format("\\u%04x", (int) c));
        }
        return safe == null ? text : safe.toString();
    }

    private static boolean isHarmless(char c) {
        return !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
    }
}
