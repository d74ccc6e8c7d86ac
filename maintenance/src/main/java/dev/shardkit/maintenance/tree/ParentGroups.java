package dev.shardkit.maintenance.tree;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.creation.FormatGroups;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Creates the missing groups between an existing group and a new node below it. Without them, readers would not find
 * the new node from the group (Zarr core specification, "Hierarchy"). Works for local folders and for archives in local
 * files. Immutable and thread-safe.
 */
public final class ParentGroups {
    private static final String ARCHIVE = "zip:file:";
    /** The documents of nodes of other formats. A folder that has one of them does not become a group. */
    private static final List<String> OTHER_NODES = List.of(".zarray", ".zgroup", "attributes.json", "info");

    private final String location;

    private ParentGroups(String location) {
        this.location = location;
    }

    /** Prepares to create the groups above the node at the root of a store. */
    public static ParentGroups above(Store node) {
        return new ParentGroups(node.describe());
    }

    /**
     * Creates the missing groups, and adds them and the node to the consolidated metadata above them. Creates no groups
     * if no folder above is a group. Call it after the node is complete, so that a failure to create the node leaves no
     * groups behind. For a node in an archive, close the node's store first.
     *
     * @return the locations of the created groups, the topmost first
     * @throws StoreException if a group cannot be created; the node itself is complete
     */
    public List<String> make(ZarrOptions options) {
        try {
            Optional<Path> folder = LocalFolders.of(location);
            if (folder.isPresent()) {
                return makeInFolders(folder.get(), options);
            }
            int inside = location.lastIndexOf('!');
            return location.startsWith(ARCHIVE) && inside > 0
                    ? makeInArchive(
                            Path.of(location.substring(ARCHIVE.length(), inside)),
                            location.substring(inside + 1),
                            options)
                    : List.of();
        } catch (StoreException e) {
            throw new StoreException(
                    "the node " + location + " is complete, but a group above it could not be made: " + e.fact(), e);
        }
    }

    /**
     * Creates the document at the root of a new node's tree, if it is missing and the format needs one. The location of
     * the store names the format. N5, for example, needs such a document.
     *
     * @param node the store that has the new node at its root
     * @return a warning if the document could not be created or is incomplete; empty otherwise
     */
    public static Optional<String> makeRoot(Store node, ZarrOptions options) {
        return FormatGroups.makeRoot(
                new StoredNode(new Session(node, InternalAccess.inside(options, Settings.class)), ""));
    }

    /** Searches the nearest folder above that is a group, and creates groups from there down to the node. */
    private static List<String> makeInFolders(Path node, ZarrOptions options) {
        Path folder = node.getParent();
        while (folder != null && !Files.exists(folder.resolve(NodePath.DOCUMENT))) {
            if (cannotBeGroup(folder)) {
                return List.of();
            }
            folder = folder.getParent();
        }
        if (folder == null || folder.equals(node.getParent())) {
            return List.of();
        }
        try (Store store = Zarr.openStore(folder.toString(), options)) {
            return make(store, folder.relativize(node).toString().replace('\\', '/'), options);
        }
    }

    private static boolean cannotBeGroup(Path folder) {
        return LocalFolders.isLink(folder)
                || NodePath.isReserved(String.valueOf(folder.getFileName()))
                || !NodePath.isName(String.valueOf(folder.getFileName()))
                || OTHER_NODES.stream().anyMatch(name -> Files.exists(folder.resolve(name)));
    }

    private static List<String> makeInArchive(Path archive, String path, ZarrOptions options) {
        try (Store store = Zarr.openStore("zip:" + archive.toUri(), options)) {
            return make(store, path, options);
        }
    }

    private static List<String> make(Store store, String path, ZarrOptions options) {
        Deque<String> missing = new ArrayDeque<>();
        String above = StoreKeys.parent(path);
        Optional<ZarrNode> found = find(store, above, options);
        while (found.isEmpty() && !above.isEmpty()) {
            missing.push(above);
            above = StoreKeys.parent(above);
            found = find(store, above, options);
        }
        if (missing.isEmpty() || found.filter(ZarrGroup.class::isInstance).isEmpty()) {
            return List.of();
        }
        List<String> made = new ArrayList<>();
        for (String group : missing) {
            Zarr.createGroup(store, group, Json.object(), IfExists.REFUSE, options);
            made.add(StoreKeys.location(store.describe(), group));
        }
        record(store, missing.peek(), options);
        return made;
    }

    /** Returns the node; empty if it cannot be opened. */
    private static Optional<ZarrNode> find(Store store, String path, ZarrOptions options) {
        try {
            return Zarr.find(store, path, options);
        } catch (ZarrException e) {
            return Optional.empty();
        }
    }

    /** Adds the node at {@code top} and its descendants to the consolidated metadata of the groups above it. */
    private static void record(Store store, String top, ZarrOptions options) {
        StoredNode node = new StoredNode(new Session(store, InternalAccess.inside(options, Settings.class)), top);
        ConsolidatedUpdates.moved(node, () -> find(store, top, options)
                .filter(ZarrGroup.class::isInstance)
                .map(group -> ((ZarrGroup) group).descendantMetadata().keySet())
                .orElse(Set.of()));
    }

    /** Adds the node at the root of a store, and its descendants, to the consolidated metadata above the store. */
    public static void record(Store node, ZarrOptions options) {
        record(node, "", options);
    }
}
