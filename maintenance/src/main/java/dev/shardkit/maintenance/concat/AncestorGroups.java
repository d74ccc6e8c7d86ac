package dev.shardkit.maintenance.concat;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The groups above a source array of a concatenation, the nearest first: groups in its store, then groups above the
 * root of the store. Their attributes and variables can define the meaning of the array's elements. Immutable.
 *
 * @param groups the groups, or locations where groups could be
 */
record AncestorGroups(List<Ancestor> groups) {
    /** A limit that no real tree reaches. It ends the search if links form a cycle. */
    private static final int MAX_GROUPS = 32;

    /** Finds a child of a group, and returns what {@code use} reads from it while its store is open. */
    private interface Children {
        <T> Optional<T> find(String name, Function<ZarrNode, Optional<T>> use);
    }

    /**
     * A group above an array, or a location where a group could be.
     *
     * @param attributes its attributes; empty if there is no readable group
     * @param children finds nodes in it
     */
    private record Ancestor(Optional<Json.Obj> attributes, Children children) {}

    /**
     * Returns the groups above each array. Reads nothing for a single array, because there is nothing to compare it
     * with.
     */
    static List<AncestorGroups> of(List<StoredNode> arrays, ZarrOptions options) {
        return arrays.size() < 2
                ? List.of(new AncestorGroups(List.of()))
                : arrays.stream().map(array -> of(array, options)).toList();
    }

    private static AncestorGroups of(StoredNode array, ZarrOptions options) {
        List<Ancestor> groups = new ArrayList<>();
        String path = array.path();
        while (!path.isEmpty() && groups.size() < MAX_GROUPS) {
            path = StoreKeys.parent(path);
            StoredNode location = new StoredNode(array.session(), path);
            groups.add(new Ancestor(
                    emptyIfUnreadable(() -> location.call(location::find)
                            .map(FoundNode::metadata)
                            .map(m -> m.attributes())),
                    childrenInStore(array.session().store(), path, options)));
        }
        Optional<String> outer = parentLocation(new StoredNode(array.session(), "").location());
        while (outer.isPresent() && groups.size() < MAX_GROUPS) {
            String location = outer.get();
            Children children = childrenAt(location, options);
            Optional<Json.Obj> group = children.find("", node -> Optional.of(node.attributes()));
            groups.add(new Ancestor(group, children));
            outer = group.flatMap(found -> parentLocation(location));
        }
        return new AncestorGroups(List.copyOf(groups));
    }

    /** Returns whether at least one of the groups exists and can be read. */
    boolean hasGroup() {
        return groups.stream().anyMatch(group -> group.attributes().isPresent());
    }

    /** Returns all attributes of the nearest group that has the attribute {@code name}. */
    Optional<Json.Obj> findAttributes(String name) {
        return groups.stream()
                .flatMap(group -> group.attributes().stream())
                .filter(attributes -> attributes.get(name).isPresent())
                .findFirst();
    }

    /** Returns the result of {@code use} for the nearest node of this name; empty if no such node can be opened. */
    <T> Optional<T> findVariable(String name, Function<ZarrNode, Optional<T>> use) {
        return groups.stream()
                .flatMap(group -> group.children().find(name, use).stream())
                .findFirst();
    }

    private static Children childrenInStore(Store store, String path, ZarrOptions options) {
        return new Children() {
            @Override
            public <T> Optional<T> find(String name, Function<ZarrNode, Optional<T>> use) {
                return emptyIfUnreadable(() -> Zarr.find(store, StoreKeys.join(path, name), options))
                        .flatMap(use);
            }
        };
    }

    private static Children childrenAt(String group, ZarrOptions options) {
        return new Children() {
            @Override
            public <T> Optional<T> find(String name, Function<ZarrNode, Optional<T>> use) {
                Optional<Store> opened = emptyIfUnreadable(() -> Optional.of(Zarr.openStore(group, options)));
                if (opened.isEmpty()) {
                    return Optional.empty();
                }
                try (Store store = opened.get()) {
                    return emptyIfUnreadable(() -> Zarr.find(store, name, options))
                            .flatMap(use);
                }
            }
        };
    }

    /** Returns the result of a search; empty if the search throws because something cannot be read. */
    private static <T> Optional<T> emptyIfUnreadable(Supplier<Optional<T>> search) {
        try {
            return search.get();
        } catch (ZarrException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the location of the folder above a location; empty at the top. */
    private static Optional<String> parentLocation(String location) {
        Optional<Path> folder = LocalFolders.of(location);
        if (folder.isPresent()) {
            return Optional.ofNullable(folder.get().getParent()).map(path -> "file:" + path);
        }
        int end = Math.max(location.lastIndexOf('/'), location.lastIndexOf('!'));
        return end <= 0 ? Optional.empty() : Optional.of(location.substring(0, end));
    }
}
