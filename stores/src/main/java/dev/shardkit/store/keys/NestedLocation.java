package dev.shardkit.store.keys;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A location {@code scheme:OUTER!INNER}: a path inside an object of another store, for example in an archive.
 * Immutable.
 *
 * @param outer the URL or path of the object, not decoded
 * @param inner the path inside, decoded, without slashes at its ends; empty for all of it
 */
public record NestedLocation(String outer, String inner) {
    private static final String ALLOW = "allow=";

    /** Splits a location at its last {@code !}. */
    public static NestedLocation of(URI uri) {
        String text = uri.getRawSchemeSpecificPart();
        int separator = text.lastIndexOf('!');
        return separator < 0
                ? new NestedLocation(text, "")
                : new NestedLocation(
                        text.substring(0, separator),
                        decoded(text.substring(separator + 1)).replaceAll("^/+|/+$", ""));
    }

    /**
     * Returns the places in the {@code #allow=PLACE&allow=PLACE} options of a location, not decoded.
     *
     * @param expected the beginning of the message about another option, such as "expected #allow=URL"
     */
    public static List<String> allowed(URI uri, String expected) {
        String options = uri.getRawFragment();
        if (options == null) {
            return List.of();
        }
        return Arrays.stream(options.split("&"))
                .map(option -> {
                    if (!option.startsWith(ALLOW)) {
                        throw new IllegalArgumentException(expected + ", found another option");
                    }
                    return option.substring(ALLOW.length());
                })
                .toList();
    }

    /**
     * Returns the local path that a text names; empty for a URL. A path is a text without a scheme, or with
     * {@code file:} before a relative path or a drive, as in {@code file:C:\data}, the form in messages of file stores.
     *
     * @param text a path or URL, whose percent-encoded characters are not decoded yet
     */
    public static Optional<Path> path(String text) {
        String path = text.matches("(?is)file:[^/].*") ? text.substring("file:".length()) : text;
        return isUrl(path)
                ? Optional.empty()
                : Optional.of(Path.of(decoded(path)).toAbsolutePath().normalize());
    }

    /** Returns whether a text begins with a scheme. A single letter is not a scheme but a drive of Windows. */
    public static boolean isUrl(String text) {
        return text.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*");
    }

    /** Returns the URL in a text, or the {@code file:} URL of the path in it; see {@link #url}. */
    public static URI urlOrPath(String text, String expected) {
        Optional<Path> path = path(text);
        return path.isPresent() ? path.get().toUri() : url(text, expected);
    }

    /** Returns the text with its percent-encoded characters decoded. A plus sign stays. */
    public static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /**
     * Parses a URL. It may contain a password, so messages show its scheme only.
     *
     * @param expected begins the message of the {@code IllegalArgumentException}, such as "expected X, found "
     */
    public static URI url(String text, String expected) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) { // the exception's message repeats the text
            throw new IllegalArgumentException(expected + "an invalid URL that begins with "
                    + text.substring(0, text.indexOf(':') + 1) + ": " + e.getReason() + " at index " + e.getIndex());
        }
    }
}
