package dev.shardkit.cli.option;

import dev.shardkit.cli.print.UsageException;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/**
 * The location of a node, split into its parent's location and its name: a path, or a URI such as
 * {@code zip:a.zip!group/array}. Immutable.
 *
 * @param parent the location of the folder that contains the node
 * @param name the name in that folder
 */
public record ChildLocation(String parent, String name) {
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

    /** Splits a location. Throws {@link UsageException} if it is the root of a store or has a query. */
    public static ChildLocation split(String location) {
        return split(location, File.separatorChar);
    }

    /** Splits a location on a system whose paths have this separator. */
    static ChildLocation split(String location, char separator) {
        boolean isWindowsPath = separator == '\\' && !location.contains("://");
        String path = (isWindowsPath ? location.replace('\\', '/') : location).replaceAll("/+$", "");
        int lastSeparator = Math.max(path.lastIndexOf('/'), path.lastIndexOf('!'));
        String name = path.substring(lastSeparator + 1);
        boolean isUri = SCHEME.matcher(path).matches();
        // A URI cannot be split if it has no separator or has a query, or if its last separator belongs to "//".
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || isUri
                        && (lastSeparator < 0
                                || path.indexOf('?') >= 0
                                || path.startsWith("//", path.indexOf(':') + 1)
                                        && lastSeparator < path.indexOf(':') + 3)) {
            throw new UsageException(
                    "without a target, expected an array in a group, such as scan.zarr/0; found " + location);
        }
        // A parent that is a root keeps its separator: "!", "/" or "c:/".
        String parent = lastSeparator < 0
                ? "."
                : path.charAt(lastSeparator) == '!' || lastSeparator == 0 || isDrive(path, lastSeparator)
                        ? location.substring(0, lastSeparator + 1)
                        : location.substring(0, lastSeparator);
        return new ChildLocation(parent, isUri ? decode(name) : name);
    }

    /** Whether the text before the last separator is a drive of Windows, such as {@code c:}. */
    private static boolean isDrive(String path, int lastSeparator) {
        return path.substring(0, lastSeparator).matches("(?i)(?:.*:)?[a-z]:");
    }

    /** Returns the name with percent-encoded characters decoded, or unchanged if it is not valid in a URI. */
    private static String decode(String name) {
        try {
            return new URI("x:/" + name).getPath().substring(1);
        } catch (URISyntaxException e) {
            return name;
        }
    }
}
