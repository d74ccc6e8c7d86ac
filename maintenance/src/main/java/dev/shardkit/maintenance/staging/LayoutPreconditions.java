package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.WriteOwnership;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Checks, before a change of an array's layout, that the change does not make other documents wrong or delete objects
 * that are not chunks. Looks into the array's folder and the groups above it. Stateless.
 */
public final class LayoutPreconditions {
    private static final String V2_DOCUMENT = ".zarray";

    private LayoutPreconditions() {}

    /**
     * Refuses a change of {@code array}'s layout that would make other documents wrong or lose objects.
     *
     * @param top the path of the node that the caller changes: the array, or a group above it. The caller consolidates
     *     groups from there down again, so only groups above it must not have consolidated metadata
     * @throws UnsupportedException if the change is refused
     */
    public static void refuse(ZarrArray array, String top) {
        Publication.at(array).recordRefusingOthers(WorkKind.RELAYOUT); // throws if other work is unfinished
        refuseOtherDocument(array);
        refuseStrays(array);
        refuseConsolidated(array, top);
    }

    /** Refuses an array that documents of another format describe too. A conversion in place leaves such arrays. */
    static void refuseOtherDocument(ZarrArray array) {
        if (isStored(array, V2_DOCUMENT)) {
            throw new UnsupportedException(StoreKeys.join(array.path(), V2_DOCUMENT)
                    + " exists beside zarr.json: readers of Zarr v2 would read wrong values "
                    + "afterwards; delete .zarray and .zattrs here, and the entries of both in .zmetadata, first");
        }
        for (NodeFormat format : array.options().registry().nodeFormats()) {
            for (String name : new TreeSet<>(format.documentNames())) {
                if (isStored(array, name) && describes(format, array)) {
                    throw new UnsupportedException(StoreKeys.join(array.path(), name)
                            + " exists beside zarr.json: readers of the format " + format.name()
                            + " would read wrong values or none afterwards; delete it first");
                }
            }
        }
    }

    private static boolean isStored(ZarrArray array, String document) {
        String key = StoreKeys.join(array.path(), document);
        return new StoreCalls(array).get(store -> StoredObjects.has(store, key));
    }

    /** Returns whether documents of this format describe an array at the path of {@code array}. */
    private static boolean describes(NodeFormat format, ZarrArray array) {
        Store store = ArrayInternals.of(array).node().session().store();
        ZarrOptions options = array.options().withFormats(FormatChoice.named(format.name()));
        try {
            return Zarr.find(store, array.path(), options)
                    .filter(ZarrArray.class::isInstance)
                    .isPresent();
        } catch (UnsupportedException e) {
            return true; // shardkit cannot read it, but other readers may be able to
        } catch (MetadataException | CorruptDataException e) {
            return false; // another kind of file with the same name
        }
    }

    /** Refuses objects with chunk keys outside the grid. The change replaces all objects with chunk keys, these too. */
    private static void refuseStrays(ZarrArray array) {
        Optional<String> outside = StrayChunks.findOutside(array);
        if (outside.isPresent()) {
            throw new UnsupportedException(outside.get()
                    + " lies outside the chunk grid, and a change of layout would delete it; first delete it "
                    + "(Repair.droppingStrays), or resize the array so that it lies inside. If a writer is appending to "
                    + "the array, wait for it");
        }
    }

    /**
     * Refuses a store that has neither locks nor conditional puts, unless the options say that the caller owns the
     * arrays. Without this check, the work would fail only at the end, when it changes a document after all chunks are
     * stored.
     *
     * @param purpose the subject of the message, such as "replacing the elements of an array"
     */
    public static void refuseUnguarded(Store store, ZarrOptions options, String purpose) {
        boolean isGuarded = store.can(Locks.class) || BlockingStore.to(store).putsUnderConditions();
        if (!isGuarded && options.ownership() != WriteOwnership.OWNED) {
            throw new UnsupportedException(purpose + " needs locks or conditional puts, and the store "
                    + store.describe()
                    + " has neither. Write a new array or group at another place; or, if no other program writes to the "
                    + "arrays, use WriteOwnership.OWNED");
        }
    }

    /** Refuses an array that consolidated metadata above {@code top} describe, because they would become wrong. */
    private static void refuseConsolidated(ZarrArray array, String top) {
        List<String> groups = findConsolidatingGroups(array, top);
        if (!groups.isEmpty()) {
            throw new UnsupportedException("the consolidated metadata of the group "
                    + String.join(" and of the group ", groups) + " list it: change the layout of the whole group "
                    + groups.get(groups.size() - 1)
                    + ", or first use ZarrGroup.removeConsolidated and afterwards consolidate again");
        }
    }

    /**
     * Returns the locations of the groups above the node at {@code top} whose consolidated metadata describe
     * {@code array}, the nearest first.
     */
    public static List<String> findConsolidatingGroups(ZarrArray array, String top) {
        Store store = ArrayInternals.of(array).node().session().store();
        List<String> groups = new ArrayList<>();
        for (String above = top; !above.isEmpty(); ) {
            above = StoreKeys.parent(above);
            findConsolidatingGroups(store, above, StoreKeys.relative(above, array.path()), array)
                    .ifPresent(groups::add);
        }
        LocalFolders.of(store).ifPresent(root -> groups.addAll(findAboveFolder(array, root)));
        groups.addAll(findAboveBucket(array, store.describe()));
        return groups;
    }

    /** Searches the groups in the folders above the root of a local store. */
    private static List<String> findAboveFolder(ZarrArray array, Path root) {
        List<String> groups = new ArrayList<>();
        String name = array.path();
        for (Path at = root; at.getParent() != null; at = at.getParent()) {
            name = StoreKeys.join(at.getFileName().toString(), name);
            try (Store parent = array.options().registry().open(at.getParent().toUri())) {
                findConsolidatingGroups(parent, "", name, array).ifPresent(groups::add);
            }
        }
        return groups;
    }

    /**
     * Searches the groups above the root of a store in a bucket. Stops if a store that the registry opens describes
     * itself differently: the caller may have built its store with settings, such as another server, that are unknown
     * here.
     */
    private static List<String> findAboveBucket(ZarrArray array, String described) {
        List<String> groups = new ArrayList<>();
        for (ParentPrefixes.Folder above : ParentPrefixes.above(described)) {
            try (Store parent = array.options().registry().open(above.location())) {
                if (!parent.describe().equals(above.described())) {
                    return groups;
                }
                findConsolidatingGroups(parent, "", StoreKeys.join(above.name(), array.path()), array)
                        .ifPresent(groups::add);
            } catch (ZarrException | IllegalArgumentException e) {
                return groups;
            }
        }
        return groups;
    }

    /**
     * Returns the location of the group at a path, if its consolidated metadata contain the relative path {@code name}.
     */
    private static Optional<String> findConsolidatingGroups(Store store, String path, String name, ZarrArray array) {
        Optional<ZarrNode> node;
        try {
            node = Zarr.find(store, path, array.options());
        } catch (ZarrException e) {
            return Optional.empty(); // a group that cannot be read does not describe the array
        }
        return node.filter(found -> found instanceof ZarrGroup group
                        && group.metadata()
                                .consolidated()
                                .filter(all -> all.containsKey(name))
                                .isPresent())
                .map(ZarrNode::location);
    }
}
