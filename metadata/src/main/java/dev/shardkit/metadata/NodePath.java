package dev.shardkit.metadata;

import dev.shardkit.json.Pointers;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.OwnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The path of a node in its hierarchy: the names from the root to the node (Zarr core specification, sections
 * "Hierarchy" and "Node names"). An immutable value; neither a store key nor a file path.
 *
 * @param names the names; empty for the root
 */
public record NodePath(List<String> names) {
    /** The name of the metadata document, which no node may have. */
    public static final String DOCUMENT = "zarr.json";

    private static final NodePath ROOT = new NodePath(List.of());

    /**
     * Checks the names.
     *
     * @throws MetadataException if a name is illegal
     */
    public NodePath {
        names = List.copyOf(names);
        names.forEach(NodePath::checkName);
    }

    /** Returns the root. */
    public static NodePath root() {
        return ROOT;
    }

    /**
     * Parses {@code a/b} or {@code /a/b}. The root is {@code /} or an empty string.
     *
     * @throws MetadataException if a name is illegal
     */
    public static NodePath of(String path) {
        String relative = path.startsWith("/") ? path.substring(1) : path;
        return relative.isEmpty() ? ROOT : new NodePath(List.of(relative.split("/", -1)));
    }

    /**
     * Checks the name of a stored node. It must not be empty, consist of periods only, contain a slash, be
     * {@code zarr.json}, or one of {@linkplain OwnNames#isOwn shardkit's own}. A name that starts with {@code __}
     * passes: Zarr v2 allows it, and other programs write it in Zarr v3 too.
     *
     * @throws MetadataException naming the violated rule
     */
    public static void checkName(String name) {
        String violation = "";
        if (name.isEmpty()) {
            violation = "must not be empty";
        } else if (name.indexOf('/') >= 0) {
            violation = "must not have a slash in it";
        } else if (name.chars().allMatch(c -> c == '.')) {
            violation = "must not be only periods";
        } else if (OwnNames.isOwn(name)) {
            violation = "must not be one of shardkit's own files";
        } else if (name.equals(DOCUMENT)) {
            violation = "must not be " + DOCUMENT;
        }
        if (!violation.isEmpty()) {
            throw new MetadataException("a node's name " + violation + ", found \"" + Pointers.shorten(name) + "\"");
        }
    }

    /** Returns whether Zarr v3 reserves a name, so that no new node may have it: it starts with {@code __}. */
    public static boolean isReserved(String name) {
        return name.startsWith("__");
    }

    /**
     * Checks the name of a new node, as {@link #checkName} does. It must not start with {@code __} either, which Zarr
     * v3 reserves.
     *
     * @throws MetadataException naming the violated rule
     */
    public static void checkNewName(String name) {
        if (isReserved(name)) {
            throw new MetadataException(
                    "a node's name must not start with __, found \"" + Pointers.shorten(name) + "\"");
        }
        checkName(name);
    }

    /** Returns this path after {@link #checkNewName checking} its names for a new node. */
    public NodePath checkedNew() {
        names.forEach(NodePath::checkNewName);
        return this;
    }

    /** Returns whether {@link #checkName} accepts {@code name}. */
    public static boolean isName(String name) {
        try {
            checkName(name);
            return true;
        } catch (MetadataException e) {
            return false;
        }
    }

    /** Returns whether this is the root. */
    public boolean isRoot() {
        return names.isEmpty();
    }

    /** Returns the last name; empty for the root. */
    public Optional<String> name() {
        return isRoot() ? Optional.empty() : Optional.of(names.get(names.size() - 1));
    }

    /** Returns the child called {@code name}. */
    public NodePath child(String name) {
        List<String> childNames = new ArrayList<>(names);
        childNames.add(name);
        return new NodePath(childNames);
    }

    /** Returns the parent; empty for the root. */
    public Optional<NodePath> parent() {
        return isRoot() ? Optional.empty() : Optional.of(new NodePath(names.subList(0, names.size() - 1)));
    }

    /** Returns the store key of the node's metadata document. */
    public String documentKey() {
        return StoreKeys.join(key(), DOCUMENT);
    }

    /** Returns the names separated by slashes: {@code a/b}; empty for the root. */
    public String key() {
        return String.join("/", names);
    }

    /** Returns the names, each after a slash: {@code /a/b}; {@code /} for the root. */
    @Override
    public String toString() {
        return "/" + key();
    }
}
