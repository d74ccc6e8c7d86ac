package dev.shardkit.maintenance.tree;

import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.source.UnclaimedObjects;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.diagnosis.MissingNodeDiagnosis;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/**
 * Removes an array, or a group with all its descendants, at the root of a store. This includes nodes that need a
 * missing plug-in, and unfinished nodes of an interrupted copy, import, conversion, concatenation or removal. In a
 * store of local files, the empty folder is removed too. If the folder is a symbolic link, only the link is removed.
 * Updates the consolidated metadata of the groups above. Immutable and thread-safe.
 */
public final class Removal {
    /** The name of a document whose node is being removed: a store of local files renames it first. */
    private static final Pattern REMOVED = Pattern.compile("__shardkit-deleted-[0-9a-f-]{36}");

    /** The handling of files that belong to no node. */
    private enum OtherFiles {
        REFUSED,
        REMOVED
    }

    private final Store store;
    private final OtherFiles otherFiles;

    private Removal(Store store, OtherFiles otherFiles) {
        this.store = store;
        this.otherFiles = otherFiles;
    }

    /** Creates the removal of the node at the root of a store. */
    public static Removal of(Store store) {
        return new Removal(store, OtherFiles.REFUSED);
    }

    /** Returns this removal for all files in the node's folder, even files that belong to no array or group. */
    public Removal includingOtherFiles() {
        return new Removal(store, OtherFiles.REMOVED);
    }

    /**
     * Removes the node. Waits for writers like {@link dev.shardkit.ZarrNode#delete}.
     *
     * @throws dev.shardkit.spi.error.MetadataException if there is no node
     * @throws StoreException if there are files that belong to no array or group, or if the node may be the only
     *     complete one because a move to it was interrupted; nothing was removed
     * @throws UnsupportedException if the store does not support it
     */
    public void run(ZarrOptions options) {
        store.need(TreeDeletions.class, "deleting an array or group");
        StoredNode node = new StoredNode(new Session(store, InternalAccess.inside(options, Settings.class)), "");
        Optional<Path> folder = LocalFolders.of(store);
        if (!node.exists() && !isUnfinished(node) && !hasInterruptedRemoval(store)) {
            throw MissingNodeDiagnosis.error(node, MissingNodeDiagnosis.Probes.ALL);
        } else if (folder.filter(LocalFolders::isLink).isPresent()) {
            delete(folder.get());
        } else {
            if (otherFiles == OtherFiles.REFUSED) {
                UnclaimedObjects.refuse(
                        store,
                        options,
                        "they would be removed too: move them elsewhere first, or "
                                + "use Removal.includingOtherFiles");
            }
            node.deleteNode(() -> Publication.at(store, "").beginRemoval("nothing was removed", options.durability()));
            folder.ifPresent(Removal::deleteIfEmpty);
        }
        ConsolidatedUpdates.replaced(node);
    }

    /**
     * Describes the leftovers of an interrupted removal at the root of a store of local files; empty if there are none,
     * or if there is a node. Lists all objects if there is no node.
     */
    public static Optional<String> interrupted(Store store, ZarrOptions options) {
        StoredNode node = new StoredNode(new Session(store, InternalAccess.inside(options, Settings.class)), "");
        return node.exists() || !hasInterruptedRemoval(store)
                ? Optional.empty()
                : Optional.of("what an interrupted removal had left");
    }

    /** Returns whether the root of a store of local files holds what an interrupted removal has left. */
    public static boolean hasInterruptedRemoval(Store store) {
        AtomicBoolean found = new AtomicBoolean();
        Optional<TreeDeletions> prunes = store.find(TreeDeletions.class);
        try {
            if (prunes.isPresent()) {
                prunes.get().reserved("", name -> found.compareAndSet(false, isRemoved(name)));
            }
        } catch (IOException e) {
            throw new StoreException("cannot list " + store.describe() + ": " + e.getMessage(), e);
        }
        return found.get();
    }

    /** Whether a key is that of a document whose node is being removed, or whose removal was interrupted. */
    private static boolean isRemoved(String key) {
        return REMOVED.matcher(StoreKeys.name(key)).matches();
    }

    private static boolean isUnfinished(StoredNode node) {
        Optional<WorkKind> found = node.store(s -> WorkKind.at(s, ""));
        found.filter(unfinished -> !unfinished.isRemovable()).ifPresent(unfinished -> {
            throw node.located(new StoreException(
                    "the folder holds " + unfinished.text() + ": " + unfinished.advice() + "; nothing was removed"));
        });
        return found.isPresent();
    }

    private static void delete(Path link) {
        try {
            Files.deleteIfExists(link);
        } catch (IOException e) {
            throw new StoreException("cannot remove the symbolic link " + link + ": " + e, e);
        }
    }

    /** Removes the folder of a node that was removed; keeps files that another program stores there meanwhile. */
    public static void deleteIfEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            return;
        } catch (IOException e) {
            throw new StoreException("the node was removed, but its empty folder " + folder + " was not: " + e, e);
        }
    }
}
