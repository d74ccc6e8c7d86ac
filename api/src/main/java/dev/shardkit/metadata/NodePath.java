package dev.shardkit.metadata;

import dev.shardkit.json.Pointers;
import dev.shardkit.spi.error.MetadataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a node stands in its hierarchy: the names on the way from the root (Zarr core specification, sections
 * "Hierarchy" and "Node names"). Immutable, a value. Not a store key, not a file path.
 *
 * @param names the names, none for the root
 */
public record NodePath(List<String> names) {
    /** The name of the metadata document, which no node may have. */
    public static final String DOCUMENT = "zarr.json";

    private static final NodePath ROOT = new NodePath(List.of());

    /**
     * Checks the names.
     *
     * @throws MetadataException if one is illegal
     */
    public NodePath {
        names = List.copyOf(names);
        names.forEach(NodePath::checkName);
    }

    /** The root. */
    public static NodePath root() {
        return ROOT;
    }

    /**
     * Reads {@code a/b} or {@code /a/b}; the root is {@code /} or nothing.
     *
     * @throws MetadataException if a name is illegal
     */
    public static NodePath of(String path) {
        String relative = path.startsWith("/") ? path.substring(1) : path;
        return relative.isEmpty() ? ROOT : new NodePath(List.of(relative.split("/", -1)));
    }

    /**
     * Refuses what is no name of a node: nothing, only periods, a slash in it, {@code __} at its start,
     * {@code zarr.json}.
     *
     * @throws MetadataException naming the rule
     */
    public static void checkName(String name) {
        String why = "";
        if (name.isEmpty()) {
            why = "must not be empty";
        } else if (name.indexOf('/') >= 0) {
            why = "must not have a slash in it";
        } else if (name.chars().allMatch(c -> c == '.')) {
            why = "must not be only periods";
        } else if (name.startsWith("__")) {
            why = "must not start with __";
        } else if (name.equals(DOCUMENT)) {
            why = "must not be " + DOCUMENT;
        }
        if (!why.isEmpty()) {
            throw new MetadataException("a node's name " + why + ", found \"" + Pointers.shorten(name) + "\"");
        }
    }

    /** Whether {@code name} is one that {@link #checkName} accepts. */
    public static boolean isName(String name) {
        try {
            checkName(name);
            return true;
        } catch (MetadataException e) {
            return false;
        }
    }

    /** Whether this is the root. */
    public boolean isRoot() {
        return names.isEmpty();
    }

    /** The last name; empty for the root. */
    public Optional<String> name() {
        return isRoot() ? Optional.empty() : Optional.of(names.get(names.size() - 1));
    }

    /** The node called {@code name} below this one. */
    public NodePath child(String name) {
        List<String> longer = new ArrayList<>(names);
        longer.add(name);
        return new NodePath(longer);
    }

    /** The node above; empty for the root. */
    public Optional<NodePath> parent() {
        return isRoot() ? Optional.empty() : Optional.of(new NodePath(names.subList(0, names.size() - 1)));
    }

    /** The store key of the node's metadata document. */
    public String documentKey() {
        return isRoot() ? DOCUMENT : key() + "/" + DOCUMENT;
    }

    /** The names with slashes between them: {@code a/b}, nothing for the root. */
    public String key() {
        return String.join("/", names);
    }

    /** The names with slashes before them: {@code /a/b}, {@code /} for the root. */
    @Override
    public String toString() {
        return "/" + key();
    }
}
