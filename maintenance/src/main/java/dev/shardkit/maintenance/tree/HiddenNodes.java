package dev.shardkit.maintenance.tree;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds hidden nodes: stored nodes that readers do not find from the root. Readers do not find a node if a folder above
 * it is not a group (Zarr core specification, "Hierarchy"), and may not find it if its name is reserved. Stateless.
 */
public final class HiddenNodes {
    /**
     * The names of folders of chunks, which are not searched: {@code c}, numbers, and {@code x0}, {@code y0} of WKW.
     */
    private static final Pattern CHUNKS = Pattern.compile("c|[xyz]?[0-9]+");

    private HiddenNodes() {}

    /** The reason why readers do not find a node. */
    public enum Why {
        /** A folder above the node is not a group. */
        FOLDER,
        /** The node lies in the folder of an array, which has no children. */
        ARRAY,
        /** The node is of Zarr v3 and its name begins with {@code __}. shardkit finds it; other readers may not. */
        RESERVED_NAME
    }

    /**
     * Visits the hidden nodes below a node, but not their descendants. Does nothing in a store that cannot list, or
     * below a group whose format does not keep children in its folder.
     *
     * @param found receives the path of each node, in its store, and the reason
     */
    public static void below(ZarrNode node, BiConsumer<String, Why> found) {
        if (node instanceof ZarrGroup group) {
            inGroup(group, path -> false, found, array -> inArray(array, found));
        } else if (node instanceof ZarrArray array) {
            inArray(array, found);
        }
    }

    /**
     * Visits the hidden nodes below a group, except those in the folders of arrays.
     *
     * @param isArray returns whether an array is known to be at a path, which then is not opened
     */
    public static void outsideArrays(ZarrGroup group, Predicate<String> isArray, BiConsumer<String, Why> found) {
        inGroup(group, isArray, found, array -> {});
    }

    private static void inGroup(
            ZarrGroup group, Predicate<String> isArray, BiConsumer<String, Why> found, Consumer<ZarrArray> arrays) {
        StoredNode node = InternalAccess.inside(group, StoredNode.class);
        if (!canListChildren(node)) {
            return;
        }
        for (String name : folders(node)) {
            if (isArray.test(node.key(name)) && !NodePath.isReserved(name)) {
                continue;
            }
            Optional<ZarrNode> child;
            try {
                child = group.find(name);
            } catch (ZarrException e) {
                continue; // a node or folder that no reader can open
            }
            if (child.isEmpty()) {
                inFolder(node.descendant(node.session(), name), Why.FOLDER, found);
                continue;
            }
            if (NodePath.isReserved(name) && child.get().nodeFormat().isEmpty()) {
                found.accept(child.get().path(), Why.RESERVED_NAME);
            }
            if (child.get() instanceof ZarrGroup below) {
                inGroup(below, isArray, found, arrays);
            } else if (child.get() instanceof ZarrArray array) {
                arrays.accept(array);
            }
        }
    }

    /** Returns whether the children of a node can be listed, and are in its folder. */
    private static boolean canListChildren(StoredNode node) {
        return node.session().store().can(Listings.class)
                && node.session()
                        .foreign()
                        .map(foreign -> foreign.children().equals(new NodeFormat.Children(node.path(), List.of())))
                        .orElse(true);
    }

    /** Visits the nodes in the folder of an array. */
    public static void inArray(ZarrArray array, BiConsumer<String, Why> found) {
        StoredNode node = ArrayInternals.of(array).node();
        if (!canListChildren(node)) {
            return;
        }
        for (String name : folders(node)) {
            if (!CHUNKS.matcher(name).matches()) {
                visit(node.descendant(node.session(), name), Why.ARRAY, found);
            }
        }
    }

    /** Returns whether the root of a store is not a node itself, but a folder that contains nodes. */
    public static boolean existIn(Store store, ZarrOptions options) {
        StoredNode root = new StoredNode(new Session(store, InternalAccess.inside(options, Settings.class)), "");
        if (!store.can(Listings.class) || root.exists()) {
            return false;
        }
        SortedSet<String> found = new TreeSet<>();
        inFolder(root, Why.FOLDER, (path, why) -> found.add(path));
        return !found.isEmpty();
    }

    /** Visits the nodes in a folder that is not a node. */
    private static void inFolder(StoredNode folder, Why why, BiConsumer<String, Why> found) {
        for (String name : folders(folder)) {
            visit(folder.descendant(folder.session(), name), why, found);
        }
    }

    /** Visits a folder if it is a node; otherwise visits the nodes in it. */
    private static void visit(StoredNode node, Why why, BiConsumer<String, Why> found) {
        boolean exists;
        try {
            exists = node.exists();
        } catch (StoreException | CorruptDataException e) {
            return; // no reader can open it, for example a link out of the store
        }
        if (exists) {
            found.accept(node.path(), why);
        } else {
            inFolder(node, why, found);
        }
    }

    /** Returns the names of the folders in a folder; none if it cannot be listed. */
    private static SortedSet<String> folders(StoredNode parent) {
        SortedSet<String> names = new TreeSet<>();
        try {
            parent.session().list(parent.path(), entry -> {
                if (entry.kind() == Entry.Kind.PREFIX && NodePath.isName(entry.name())) {
                    names.add(entry.name());
                }
            });
        } catch (UnsupportedException | StoreException e) {
            return new TreeSet<>(); // a server without listings, or a folder without read permission
        }
        return names;
    }
}
