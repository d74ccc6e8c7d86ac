package dev.shardkit.session;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * Parses locations. A location is a file path, or a URI whose path may contain characters that are illegal in URIs.
 * Stateless, thread-safe.
 */
public final class Locations {
    private Locations() {}

    /** Returns the URI of a location. */
    public static URI uri(String location) {
        if (location.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            return parsed(location.matches("(?s)[^:]+://.*") ? location : escaped(location));
        }
        return Path.of(location).toAbsolutePath().normalize().toUri();
    }

    /**
     * Parses a URI. The exception of the JDK repeats the text, which may contain a password, so it is neither a cause
     * nor part of the message.
     */
    private static URI parsed(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("expected a URL, found a text that begins with "
                    + text.substring(0, text.indexOf(':') + 1) + " and is not a URL: " + e.getReason() + " at index "
                    + e.getIndex()
                    + " (the text is not shown, since it may hold a password)");
        }
    }

    /** Escapes illegal characters of a path after a scheme ({@code reference:a b}). */
    private static String escaped(String location) {
        StringBuilder out = new StringBuilder();
        boolean brackets = location.indexOf('/') == location.indexOf(':') + 1; // otherwise brackets may enclose a host
        for (char c : location.toCharArray()) {
            boolean illegal =
                    c <= ' ' || c == 0x7f || "\"<>\\^`{|}".indexOf(c) >= 0 || brackets && (c == '[' || c == ']');
            out.append(illegal ? String.format("%%%02X", (int) c) : String.valueOf(c));
        }
        return out.toString();
    }
}
