package dev.shardkit.cli.command;

import dev.shardkit.cli.print.WrongUse;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/**
 * The location of a node, split into that of the folder that holds it and its name. Immutable.
 *
 * @param parent the location of the folder
 * @param name the name below it
 */
record ChildNode(String parent, String name) {
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

    /** Splits a location. Throws if it is the root of a store, or has a query. */
    static ChildNode of(String location) {
        String path = location.replaceAll("/+$", "");
        int cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('!'));
        String name = path.substring(cut + 1);
        boolean isUri = SCHEME.matcher(path).matches();
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || isUri
                        && (cut < 0
                                || path.indexOf('?') >= 0
                                || path.startsWith("//", path.indexOf(':') + 1) && cut < path.indexOf(':') + 3)) {
            throw new WrongUse(
                    "without a target, expected an array in a group, such as scan.zarr/0; found " + location);
        }
        String parent = cut < 0
                ? "."
                : path.charAt(cut) == '!' || cut == 0 ? path.substring(0, cut + 1) : path.substring(0, cut);
        return new ChildNode(parent, isUri ? decoded(name) : name);
    }

    private static String decoded(String name) {
        try {
            return new URI("x:/" + name).getPath().substring(1);
        } catch (URISyntaxException e) {
            return name;
        }
    }
}
