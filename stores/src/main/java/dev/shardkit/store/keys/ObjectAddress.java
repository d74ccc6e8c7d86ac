package dev.shardkit.store.keys;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The address of one object, split into the URL of its store and its key there. The object is a file, an object on a
 * server, or an object in an archive, such as {@code zip:a.zip!b}. Immutable.
 *
 * @param folder the store that holds the object
 * @param name the object's key there
 */
public record ObjectAddress(URI folder, String name) {
    /**
     * Splits a location before its last name.
     *
     * @param text a URL or a path, not decoded
     * @param expected begins the message of the {@code IllegalArgumentException}, such as "expected X, found "
     */
    public static ObjectAddress of(String text, String expected) {
        Optional<Path> path = NestedLocation.path(text);
        return path.isPresent() ? ofPath(path.get(), text, expected) : ofUrl(text, expected);
    }

    private static ObjectAddress ofPath(Path file, String text, String expected) {
        if (text.isEmpty() || text.endsWith("/") || file.getFileName() == null) {
            throw new IllegalArgumentException(expected + "a location without the name of a file");
        }
        return new ObjectAddress(file.getParent().toUri(), file.getFileName().toString());
    }

    private static ObjectAddress ofUrl(String text, String expected) {
        // In a location such as zip:URL?QUERY!NAME, the query belongs to the URL of the archive.
        int query = text.startsWith("zip:") ? -1 : text.indexOf('?');
        String plain = query < 0 ? text : text.substring(0, query);
        int separator = Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('!'));
        String name = NestedLocation.decoded(plain.substring(separator + 1));
        boolean hasPlace = separator > 0
                && (plain.startsWith("file:")
                        || !plain.substring(0, separator + 1).matches("[^:]+://?"));
        if (name.isEmpty() || !hasPlace) {
            throw new IllegalArgumentException(expected + "a URL that begins with "
                    + plain.substring(0, plain.indexOf(':') + 1) + " and names no file");
        }
        // The separator stays: a folder ends with a slash, the location of an archive with '!'.
        String folder = plain.substring(0, separator + 1) + (query < 0 ? "" : text.substring(query));
        return new ObjectAddress(NestedLocation.url(folder, expected), name);
    }
}
