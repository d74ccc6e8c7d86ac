package dev.shardkit.session.consolidated;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.location.Locations;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteOnce;
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
 * holds the group's lock while it reads the nodes' documents, so the last update records what is stored, regardless of
 * the order of writers. In a store of local files, this includes the groups in folders above the store, if they list
 * the node or its parent. Groups without consolidated metadata stay unchanged. Stateless, thread-safe.
 */
public final class ConsolidatedUpdates {
    private ConsolidatedUpdates() {}

    /** Records the stored metadata of a node that was changed. Its descendants keep their records. */
    public static void changed(StoredNode node) {
        updateGroups(node, (name, records, reader) -> NodeRecords.update(records, List.of(name), reader));
    }

    /**
     * Records the stored metadata of a node that was created or deleted. Existing records of its descendants are read
     * again, or removed with the node. Descendants without a record are not looked for.
     */
    public static void replaced(StoredNode node) {
        moved(node, List::of);
    }

    /**
     * Refuses a new node in a write-once store if a group above it has consolidated metadata, because these could not
     * be updated to list the node.
     */
    public static void refuseWriteOnce(StoredNode node) {
        Session documents = node.session().ofDocuments();
        if (!documents.store().can(WriteOnce.class)) {
            return;
        }
        for (String groupPath = node.path(); !groupPath.isEmpty(); ) {
            groupPath = StoreKeys.parent(groupPath);
            if (consolidated(new StoredNode(documents, groupPath)).isPresent()) {
                throw WriteOnce.refused(documents.store(), StoreKeys.join(groupPath, NodePath.DOCUMENT));
            }
        }
    }

    /**
     * Records the stored metadata of a node that was moved or copied here, and of its descendants, which may have no
     * records yet.
     *
     * @param descendants finds the paths of the descendants, below the node; not called if no group above is
     *     consolidated
     */
    public static void moved(StoredNode node, Supplier<? extends Collection<String>> descendants) {
        updateGroups(node, (name, records, reader) -> NodeRecords.updateTree(records, name, descendants.get(), reader));
    }

    /**
     * Completes the consolidation of a group. A node that another writer changed while the group was read may have an
     * old record, because that writer found no consolidated metadata to update, or its update was overwritten.
     *
     * @param consolidated the metadata that were just stored
     * @param found the descendants, read after {@code consolidated} was stored
     * @return the stored metadata
     */
    public static GroupMetadata recheck(StoredNode group, GroupMetadata consolidated, Map<String, NodeMetadata> found) {
        Map<String, NodeMetadata> recorded = consolidated.consolidated().orElseThrow();
        Set<String> names = new HashSet<>(recorded.keySet());
        names.addAll(found.keySet());
        names.removeIf(name -> Objects.equals(recorded.get(name), found.get(name)));
        return names.isEmpty()
                ? consolidated
                : group.changeMetadataBy(
                        consolidated,
                        groupChange(records -> NodeRecords.update(records, names, NodeRecords.Reader.of(group))));
    }

    /**
     * Plans a change of a group's consolidated metadata. {@code name} is the path of the changed node below the group.
     */
    private interface Change {
        Plan<Map<String, NodeMetadata>> of(String name, Map<String, NodeMetadata> records, NodeRecords.Reader reader);
    }

    /** Applies a change to each group above the node that has consolidated metadata, nearest first. */
    private static void updateGroups(StoredNode node, Change change) {
        Session documents = node.session().ofDocuments();
        String path = node.path();
        for (String groupPath = path; !groupPath.isEmpty(); ) {
            groupPath = StoreKeys.parent(groupPath);
            String name = StoreKeys.relative(groupPath, path);
            StoredNode group = new StoredNode(documents, groupPath);
            Optional<GroupMetadata> current = consolidated(group);
            if (current.isPresent()) {
                NodeRecords.Reader reader = NodeRecords.Reader.of(group);
                group.changeMetadataBy(current.get(), groupChange(records -> change.of(name, records, reader)));
            }
        }
        updateFoldersAbove(node.in(documents), change);
    }

    /** Applies a change to the groups in the folders above a store of local files. */
    private static void updateFoldersAbove(StoredNode node, Change change) {
        Path folder = Locations.localFolder(node.session().store()).orElse(null);
        String name = node.path();
        while (folder != null && folder.getParent() != null) {
            name = StoreKeys.join(String.valueOf(folder.getFileName()), name);
            folder = folder.getParent();
            if (Files.isRegularFile(folder.resolve(NodePath.DOCUMENT))) {
                updateFolder(node, folder, name, change);
            }
        }
    }

    /** Applies a change to the group in a folder, if its consolidated metadata list the node or its parent. */
    private static void updateFolder(StoredNode node, Path folder, String name, Change change) {
        Session documents = node.session();
        try (Store store =
                documents.registry().open(folder.toUri(), documents.options().links())) {
            StoredNode group = new StoredNode(new Session(store, documents.options(), documents.registry()), "");
            Optional<GroupMetadata> current = readable(group).filter(g -> covers(g, name));
            if (current.isPresent()) {
                NodeRecords.Reader reader = readerOrStored(group, name, node);
                changeOutside(group, current.get(), groupChange(records -> change.of(name, records, reader)));
            }
        }
    }

    /**
     * Returns a reader of the nodes of a group outside the store. If a link leads to the node and the group's store
     * refuses links, the reader returns the node as it is stored, and keeps all other records.
     */
    private static NodeRecords.Reader readerOrStored(StoredNode group, String name, StoredNode node) {
        try {
            group.descendant(group.session(), name).exists(); // throws if the store refuses the link
            return NodeRecords.Reader.of(group);
        } catch (StoreException e) {
            Optional<NodeMetadata> found = node.stored().map(NodeRecords::record);
            return (path, current) -> Plan.done(path.equals(name) ? found : Optional.ofNullable(current));
        }
    }

    /** Changes a group outside the store that the caller opened. An error says that the node itself was changed. */
    private static void changeOutside(
            StoredNode group, GroupMetadata current, Function<GroupMetadata, Plan<GroupMetadata>> change) {
        try {
            group.changeMetadataBy(current, change);
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
        Map<String, NodeMetadata> records = group.consolidated().orElseThrow();
        String parent = StoreKeys.parent(name);
        return parent.isEmpty() || records.containsKey(parent) || records.containsKey(name);
    }

    /** Returns the metadata of a group outside the store if it has consolidated metadata and can be read. */
    private static Optional<GroupMetadata> readable(StoredNode group) {
        try {
            return consolidated(group);
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    /** Returns a change of a group that applies a change of its consolidated metadata, if it has any. */
    private static Function<GroupMetadata, Plan<GroupMetadata>> groupChange(
            Function<Map<String, NodeMetadata>, Plan<Map<String, NodeMetadata>>> change) {
        return stored -> stored.consolidated().isEmpty()
                ? Plan.done(stored)
                : change.apply(stored.consolidated().get()).map(stored::withConsolidated);
    }

    /** Returns the metadata of a group if it has consolidated metadata. */
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
