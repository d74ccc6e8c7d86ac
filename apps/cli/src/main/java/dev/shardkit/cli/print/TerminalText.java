package dev.shardkit.cli.print;

/** Makes text from stored data safe for a terminal. Stateless. */
public final class TerminalText {
    private TerminalText() {}

    /**
     * Escapes control characters and characters that change the direction of text, as JSON does. So a name cannot clear
     * the screen, forge a line or hide a part of itself.
     */
    public static String escapeName(String text) {
        return escape(text, false);
    }

    /** Escapes text like {@link #escapeName}, but keeps tabs and line breaks. */
    static String escapeLines(String text) {
        return escape(text, true);
    }

    private static String escape(String text, boolean keepsBreaks) {
        StringBuilder result = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isHarmless(c) || (keepsBreaks && (c == '\t' || c == '\n' || c == '\r'))) {
                if (result != null) {
                    result.append(c);
                }
                continue;
            }
            if (result == null) {
                result = new StringBuilder(text.substring(0, i));
            }
            result.append(String.format("\\u%04x", (int) c));
        }
        return result == null ? text : result.toString();
    }

    private static boolean isHarmless(char c) {
        return !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
    }
}
