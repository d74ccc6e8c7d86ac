package dev.shardkit.session;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Updates the consolidated metadata of the groups above a node that was created, changed or deleted, each under the
 * group's lock. In a store of local files these are also the groups in the folders above the store, if they list the
 * node or its parent. Groups without consolidated metadata stay unchanged. Stateless, thread-safe.
 */
public final class Consolidated {
    private Consolidated() {}

    /** Records the new metadata of a node. Its descendants keep their records. */
    public static void changed(StoredNode node, NodeMetadata metadata) {
        NodeMetadata own = metadata instanceof GroupMetadata g ? g.withoutConsolidated() : metadata;
        each(node, (name, all) -> all.put(name, own));
    }

    /** Records a new node, and removes the records of an older one and its descendants. */
    public static void created(StoredNode node, NodeMetadata metadata) {
        each(node, (name, all) -> {
            remove(name, all);
            all.put(name, metadata);
        });
    }

    /** Removes the records of a deleted node and its descendants. */
    public static void forget(StoredNode node) {
        each(node, Consolidated::remove);
    }

    private static void remove(String name, Map<String, NodeMetadata> all) {
        all.keySet().removeIf(key -> key.equals(name) || key.startsWith(StoreKeys.prefix(name)));
    }

    /** A change of a group's consolidated metadata, given the path of the node below the group. */
    private interface Change {
        void apply(String name, Map<String, NodeMetadata> all);
    }

    private static void each(StoredNode node, Change change) {
        Session own = node.session().ofDocuments();
        String path = node.path();
        for (String above = path; !above.isEmpty(); ) {
            above = StoreKeys.parent(above);
            String name = StoreKeys.relative(above, path);
            StoredNode group = new StoredNode(own, above);
            Optional<GroupMetadata> known = consolidated(group);
            if (known.isPresent()) {
                group.changeMetadata(known.get(), with(name, change));
            }
        }
        aboveStore(own, path, change);
    }

    private static void aboveStore(Session own, String path, Change change) {
        Path folder = LocalPlace.root(own.store()).orElse(null);
        String name = path;
        while (folder != null && folder.getParent() != null) {
            name = StoreKeys.join(String.valueOf(folder.getFileName()), name);
            folder = folder.getParent();
            if (Files.isRegularFile(folder.resolve(NodePath.DOCUMENT))) {
                inFolder(own, folder, name, change);
            }
        }
    }

    private static void inFolder(Session own, Path folder, String name, Change change) {
        try (Store store = own.registry().open(folder.toUri(), own.options().links())) {
            StoredNode group = new StoredNode(new Session(store, own.options(), own.registry()), "");
            Optional<GroupMetadata> known = readable(group).filter(g -> covers(g, name));
            if (known.isPresent()) {
                update(group, known.get(), with(name, change));
            }
        }
    }

    /** Changes a group outside the store that the caller opened. Its failure says that the node itself was changed. */
    private static void update(StoredNode group, GroupMetadata known, UnaryOperator<GroupMetadata> change) {
        try {
            group.changeMetadata(known, change);
        } catch (StoreException e) {
            throw new StoreException(
                    "the node was changed, but the consolidated metadata of the group above it, " + group.location()
                            + ", were not updated (" + e.fact() + "); consolidate that group again",
                    e);
        }
    }

    /** Checks whether consolidated metadata list the node at {@code name} or its parent. */
    private static boolean covers(GroupMetadata group, String name) {
        Map<String, NodeMetadata> all = group.consolidated().orElseThrow();
        String parent = StoreKeys.parent(name);
        return parent.isEmpty() || all.containsKey(parent) || all.containsKey(name);
    }

    /** Returns the consolidated metadata of a group outside the store; empty if they cannot be read. */
    private static Optional<GroupMetadata> readable(StoredNode group) {
        try {
            return consolidated(group);
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    private static UnaryOperator<GroupMetadata> with(String name, Change change) {
        return now -> {
            if (now.consolidated().isEmpty()) {
                return now;
            }
            Map<String, NodeMetadata> all =
                    new LinkedHashMap<>(now.consolidated().get());
            change.apply(name, all);
            return now.withConsolidated(all);
        };
    }

    private static Optional<GroupMetadata> consolidated(StoredNode group) {
        try {
            return group.stored()
                    .filter(m ->
                            m instanceof GroupMetadata g && g.consolidated().isPresent())
                    .map(GroupMetadata.class::cast);
        } catch (MetadataException | UnsupportedException e) {
            return Optional.empty(); // no reader can open such a group
        }
    }
}
