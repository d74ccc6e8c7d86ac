package dev.shardkit.session;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Updates the consolidated metadata of the groups above a node that was created, changed or deleted, each under the
 * group's lock. Groups without consolidated metadata stay unchanged, and so do groups outside the node's store.
 * Stateless, thread-safe.
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
