package dev.shardkit.session;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** What a caller's location means: a URI, whose path may hold what no URI may, or a file path. Without state. */
public final class Locations {
    private Locations() {}

    /** The URI of a location. */
    public static URI uri(String location) {
        if (location.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            return parsed(location.matches("(?s)[^:]+://.*") ? location : escaped(location));
        }
        return Path.of(location).toAbsolutePath().normalize().toUri();
    }

    /** Java's own exception repeats the text, which may hold a password, so neither its message nor it is passed on. */
    private static URI parsed(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("expected a URL, found a text that begins with "
                    + text.substring(0, text.indexOf(':') + 1) + " and is none: " + e.getReason() + " at index "
                    + e.getIndex()
                    + " (the text is not shown, since it may hold a password)");
        }
    }

    /** Characters of a path behind a scheme ({@code reference:a b}) that no URI may have, escaped. */
    private static String escaped(String location) {
        StringBuilder out = new StringBuilder();
        boolean brackets = location.indexOf('/') == location.indexOf(':') + 1; // else there may be a host in them
        for (char c : location.toCharArray()) {
            boolean illegal =
                    c <= ' ' || c == 0x7f || "\"<>\\^`{|}".indexOf(c) >= 0 || brackets && (c == '[' || c == ']');
            out.append(illegal ? String.format("%%%02X", (int) c) : String.valueOf(c));
        }
        return out.toString();
    }
}
