package dev.shardkit.session;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Keeps the consolidated metadata of groups true to a node below them that was changed, each group under its lock.
 * Groups that have none are left alone, and so are those outside the node's store. Without state, so thread-safe.
 */
public final class Consolidated {
    private Consolidated() {}

    /** The node at {@code path} is now of {@code metadata}. */
    public static void changed(Session session, String path, NodeMetadata metadata) {
        NodeMetadata own = metadata instanceof GroupMetadata g ? g.withoutConsolidated() : metadata;
        each(session, path, (name, all) -> all.put(name, own));
    }

    /** There is a new node of {@code metadata} at {@code path}; of an older one nothing is left. */
    public static void created(Session session, String path, NodeMetadata metadata) {
        each(session, path, (name, all) -> {
            remove(name, all);
            all.put(name, metadata);
        });
    }

    /** There is nothing at {@code path} any more. */
    public static void forget(Session session, String path) {
        each(session, path, Consolidated::remove);
    }

    private static void remove(String name, Map<String, NodeMetadata> all) {
        all.keySet().removeIf(key -> key.equals(name) || key.startsWith(name + "/"));
    }

    /** Changes what a group knows, given the node's path below it. */
    private interface Change {
        void apply(String name, Map<String, NodeMetadata> all);
    }

    private static void each(Session session, String path, Change change) {
        Session own = session.ofDocuments();
        for (String above = path; !above.isEmpty(); ) {
            above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
            String name = above.isEmpty() ? path : path.substring(above.length() + 1);
            Optional<GroupMetadata> known = consolidated(own, above);
            if (known.isPresent()) {
                own.changeMetadata(above, known.get(), with(name, change));
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

    private static Optional<GroupMetadata> consolidated(Session session, String path) {
        try {
            return session.stored(path)
                    .filter(node ->
                            node instanceof GroupMetadata g && g.consolidated().isPresent())
                    .map(GroupMetadata.class::cast);
        } catch (MetadataException | UnsupportedException e) {
            return Optional.empty(); // nobody can read it
        }
    }
}
