package dev.shardkit.session;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.AppendOnly;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Updates the consolidated metadata of the groups above a node that was created, changed, moved or deleted. Each update
 * holds the group's lock while it reads the nodes' documents, so the last update records what is stored, in whichever
 * order writers arrive. In a store of local files these are also the groups in the folders above the store, if they
 * list the node or its parent. Groups without consolidated metadata stay unchanged. Stateless, thread-safe.
 */
public final class ConsolidatedUpdates {
    private ConsolidatedUpdates() {}

    /** Records the stored metadata of a node that was changed. Its descendants keep their records. */
    public static void changed(StoredNode node) {
        each(node, (name, all, reader) -> NodeRecords.update(all, List.of(name), reader));
    }

    /** Records the stored metadata of a node that was created or deleted, and of its descendants. */
    public static void replaced(StoredNode node) {
        moved(node, List::of);
    }

    /**
     * Refuses a new node in an append-only store if a group above it has consolidated metadata: they could not list it.
     */
    public static void refuseAppendOnly(StoredNode node) {
        Session own = node.session().ofDocuments();
        if (!own.store().can(AppendOnly.class)) {
            return;
        }
        for (String above = node.path(); !above.isEmpty(); ) {
            above = StoreKeys.parent(above);
            if (consolidated(new StoredNode(own, above)).isPresent()) {
                throw AppendOnly.refused(own.store(), StoreKeys.join(above, NodePath.DOCUMENT));
            }
        }
    }

    /**
     * Records the stored metadata of a node that was moved or copied here, and of its descendants.
     *
     * @param below finds the paths of the descendants, below the node; not called if no group above is consolidated
     */
    public static void moved(StoredNode node, Supplier<? extends Collection<String>> below) {
        each(node, (name, all, reader) -> NodeRecords.updateTree(all, name, below.get(), reader));
    }

    /**
     * Completes the consolidation of a group. A node that another writer changed while the group was read may have an
     * old record: that writer found no consolidated metadata, or its update was overwritten.
     *
     * @param consolidated the metadata that were just stored
     * @param now the descendants, read after that
     * @return the stored metadata
     */
    public static GroupMetadata recheck(StoredNode group, GroupMetadata consolidated, Map<String, NodeMetadata> now) {
        Map<String, NodeMetadata> before = consolidated.consolidated().orElseThrow();
        Set<String> names = new HashSet<>(before.keySet());
        names.addAll(now.keySet());
        names.removeIf(name -> Objects.equals(before.get(name), now.get(name)));
        return names.isEmpty()
                ? consolidated
                : group.changeMetadataBy(
                        consolidated, with(all -> NodeRecords.update(all, names, NodeRecords.Reader.of(group))));
    }

    /** A change of a group's consolidated metadata, given the path of the node below the group. */
    private interface Change {
        Plan<Map<String, NodeMetadata>> of(String name, Map<String, NodeMetadata> all, NodeRecords.Reader reader);
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
                NodeRecords.Reader reader = NodeRecords.Reader.of(group);
                group.changeMetadataBy(known.get(), with(all -> change.of(name, all, reader)));
            }
        }
        aboveStore(node.in(own), change);
    }

    private static void aboveStore(StoredNode node, Change change) {
        Path folder = LocalPathDiagnosis.root(node.session().store()).orElse(null);
        String name = node.path();
        while (folder != null && folder.getParent() != null) {
            name = StoreKeys.join(String.valueOf(folder.getFileName()), name);
            folder = folder.getParent();
            if (Files.isRegularFile(folder.resolve(NodePath.DOCUMENT))) {
                inFolder(node, folder, name, change);
            }
        }
    }

    private static void inFolder(StoredNode node, Path folder, String name, Change change) {
        Session own = node.session();
        try (Store store = own.registry().open(folder.toUri(), own.options().links())) {
            StoredNode group = new StoredNode(new Session(store, own.options(), own.registry()), "");
            Optional<GroupMetadata> known = readable(group).filter(g -> covers(g, name));
            if (known.isPresent()) {
                NodeRecords.Reader reader = reader(group, name, node);
                update(group, known.get(), with(all -> change.of(name, all, reader)));
            }
        }
    }

    /**
     * Returns the reader of a group outside the store. If a link leads to the node, the group may refuse to read it.
     */
    private static NodeRecords.Reader reader(StoredNode group, String name, StoredNode node) {
        try {
            group.descendant(group.session(), name).exists();
            return NodeRecords.Reader.of(group);
        } catch (StoreException e) {
            Optional<NodeMetadata> found = node.stored().map(NodeRecords::record);
            return (path, known) -> Plan.done(path.equals(name) ? found : Optional.ofNullable(known));
        }
    }

    /** Changes a group outside the store that the caller opened. Its failure says that the node itself was changed. */
    private static void update(
            StoredNode group, GroupMetadata known, Function<GroupMetadata, Plan<GroupMetadata>> change) {
        try {
            group.changeMetadataBy(known, change);
        } catch (StoreException e) {
            throw new StoreException(
                    "the node was changed, but the consolidated metadata of the group above it, " + group.location()
                            + ", were not updated (" + e.fact()
                            + "); consolidate that group again (ZarrGroup.consolidate)",
                    e);
        }
    }

    /** Returns whether consolidated metadata list the node at {@code name} or its parent. */
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

    private static Function<GroupMetadata, Plan<GroupMetadata>> with(
            Function<Map<String, NodeMetadata>, Plan<Map<String, NodeMetadata>>> change) {
        return now -> now.consolidated().isEmpty()
                ? Plan.done(now)
                : change.apply(now.consolidated().get()).map(now::withConsolidated);
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
