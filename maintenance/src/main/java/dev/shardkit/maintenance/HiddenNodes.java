package dev.shardkit.maintenance;

import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.Handles;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Finds nodes below folders that are no groups. Readers do not find them from the root, because the parent of a node
 * must be a group (Zarr core specification, "Hierarchy"). Arrays are not searched: they have no children. Stateless.
 */
public final class HiddenNodes {
    private HiddenNodes() {}

    /**
     * Visits the hidden nodes below a group, and no nodes below them. Does nothing in a store that cannot list, or for
     * a group of another format.
     *
     * @param found receives the path of each node, in its store
     */
    public static void below(ZarrGroup group, Consumer<String> found) {
        StoredNode node = Handles.inside(group, StoredNode.class);
        if (node.session().foreign().isPresent() || !node.session().store().can(Lists.class)) {
            return;
        }
        for (String name : folders(node)) {
            Optional<ZarrNode> child;
            try {
                child = group.find(name);
            } catch (ZarrException e) {
                continue; // a node, or a place that no reader can open
            }
            if (child.isEmpty()) {
                inFolder(node.descendant(node.session(), name), found);
            } else if (child.get() instanceof ZarrGroup below) {
                below(below, found);
            }
        }
    }

    /** Whether the root of a store is a folder that is no node, but holds nodes. */
    public static boolean existIn(Store store, ZarrOptions options) {
        StoredNode root = new StoredNode(new Session(store, Handles.inside(options, Settings.class)), "");
        if (!store.can(Lists.class) || root.exists()) {
            return false;
        }
        SortedSet<String> found = new TreeSet<>();
        inFolder(root, found::add);
        return !found.isEmpty();
    }

    private static void inFolder(StoredNode folder, Consumer<String> found) {
        for (String name : folders(folder)) {
            StoredNode node = folder.descendant(folder.session(), name);
            boolean exists;
            try {
                exists = node.exists();
            } catch (StoreException | CorruptDataException e) {
                continue; // no reader can open it, such as a link that leads out of the store
            }
            if (exists) {
                found.accept(node.path());
            } else {
                inFolder(node, found);
            }
        }
    }

    private static SortedSet<String> folders(StoredNode parent) {
        SortedSet<String> names = new TreeSet<>();
        try {
            parent.session().list(parent.path(), entry -> {
                if (entry.kind() == Entry.Kind.PREFIX && NodePath.isName(entry.name())) {
                    names.add(entry.name());
                }
            });
        } catch (UnsupportedException | StoreException e) {
            return new TreeSet<>(); // a server without an index, or a folder that may not be read
        }
        return names;
    }
}
