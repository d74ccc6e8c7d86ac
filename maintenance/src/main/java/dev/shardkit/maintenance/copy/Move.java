package dev.shardkit.maintenance.copy;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.EncodedCopy;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.maintenance.source.TreeWalk;
import dev.shardkit.maintenance.source.UnclaimedObjects;
import dev.shardkit.maintenance.staging.StrayChunks;
import dev.shardkit.maintenance.tree.ParentGroups;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.publication.UnfinishedMoves;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Commits;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiFunction;

/**
 * Moves an array, or a group with all its descendants, from the root of one store to the root of another.
 *
 * <p>Between folders of one file system the folder is renamed, which is atomic: after a crash the node is at one of the
 * two locations. Everything in the folder moves with it.
 *
 * <p>Otherwise the node is copied as by {@link Copy}, and the source is deleted after the copy is complete, published
 * ({@link Commits}) and compared with it: objects that were copied between local stores by their bytes, inside a server
 * by their sizes, all other arrays by their elements, which are read once more on both sides. A copy that differs, or
 * cannot be read, fails the move, and the source stays. After a crash, the source or the target is complete, or both.
 * Repeating the call completes the move if the source is local, or if the move was deleting it. The record of the copy
 * stays until the source is deleted, and names its documents: another node that a program makes there meanwhile is
 * kept. A move that copies is refused if the folder contains files that belong to no node.
 *
 * <p>At the end, the consolidated metadata of the groups above both locations are updated.
 *
 * <p>No other program may write to the node meanwhile. Immutable and thread-safe.
 */
public final class Move {
    private final Store source;
    private final Store target;

    private Move(Store source, Store target) {
        this.source = source;
        this.target = target;
    }

    /**
     * Creates a move between the roots of two stores.
     *
     * @param source the store whose root is the node
     * @param target the store whose root becomes the node; it must be empty
     */
    public static Move of(Store source, Store target) {
        return new Move(source, target);
    }

    /**
     * Moves the node.
     *
     * @throws dev.shardkit.spi.error.MetadataException if there is no node at the source
     * @throws IllegalArgumentException if one location lies within the other
     * @throws StoreException if the target is not empty, the source is a symbolic link, or it holds files that belong
     *     to no node, or chunks outside an array's grid, and cannot be renamed with it; nothing has changed
     * @throws CorruptDataException if the copy differs from the source, which is not deleted
     * @throws UnsupportedException if a store does not support it
     */
    public void run(ZarrOptions options) {
        source.need(TreeDeletions.class, "moving an array or group");
        Optional<Path> from = LocalFolders.of(source);
        Optional<Path> into = LocalFolders.of(target);
        refuseOverlap();
        if (from.isPresent() && LocalFolders.isLink(from.get())) {
            throw new StoreException(
                    from.get() + " is a symbolic link, which is not moved; move the folder that it leads to");
        }
        Destination interrupted = Destination.of(target);
        if (interrupted.resumeRemoval(source.describe())) {
            interrupted.whileLocked(options, () -> completeRemoval(interrupted, options));
            return;
        }
        BlockingStore stored = BlockingStore.to(source);
        new StoreCalls(stored, source.describe()).run(s -> UnfinishedMoves.refuse(s, "", "nothing was moved"));
        try (ZarrNode node = openNode(options)) {
            Destination destination = Destination.of(target);
            destination.refuseNode();
            refuseUncomparedCopy(destination);
            if (from.isPresent() && into.isPresent() && !destination.isMarked()) { // else resumes a marked copy
                destination.clear(IfExists.REFUSE);
                if (rename(from.get(), into.get())) {
                    recordRename(options);
                    return;
                }
            }
            Publication.at(source, "").refuseMovedNode("nothing was moved"); // a rename takes the record with it
            FormatCopy.refuse(target, options, "a move, whose copy is compared before the source is deleted");
            UnclaimedObjects.refuse(
                    source,
                    options,
                    "a move to another file system or store would lose them: move them elsewhere first, or copy the "
                            + "node and remove it");
            refuseOutside(node);
            Destination copy = Copy.of(withAllNodes(source, node)).stageTo(target, options);
            AllOrNothing.publish(target); // the copy must be durable when the source is gone
            if (isArchive()) { // it is published without the record
                compare(options);
                deleteSource(node);
                return;
            }
            // Another program that removes or replaces the copy waits for the lock, and then finds no record.
            copy.whileLocked(options, () -> {
                compare(options);
                copy.beginRemoval(source.describe(), SourceCheck.documentVersions(node), options.durability());
                deleteSource(node);
                copy.finish(options);
                return NoResult.INSTANCE;
            });
        }
    }

    /** Refuses the copy of an earlier move from a remote source that ended before or while it compared the two. */
    private void refuseUncomparedCopy(Destination destination) {
        if (destination.holdsUnresumableCopy()) {
            throw new StoreException(target.describe() + " holds a copy that an interrupted run has not compared with"
                    + " its source, and that no run resumes, because the source is remote or the copy was not"
                    + " durable: remove the copy, then repeat the move; nothing was moved");
        }
    }

    private boolean isArchive() {
        return target.find(Commits.class).isPresent();
    }

    private void deleteSource(ZarrNode node) {
        try {
            BlockingStore stored = BlockingStore.to(source);
            if (!stored.can(Locks.class) && !stored.can(Commits.class) && stored.can(Listings.class)) {
                new StoreCalls(stored, source.describe()).run(Move::deleteFolders);
            }
            node.delete();
            LocalFolders.of(source).ifPresent(Removal::deleteIfEmpty);
        } catch (StoreException e) {
            throw new StoreException(
                    e.getMessage() + "; the copy in " + target.describe() + " is complete: keep it. The source may be"
                            + " incomplete now"
                            + (isArchive() ? ": remove it" : ": repeat the move, which deletes the rest"),
                    e);
        }
    }

    /**
     * Deletes everything in the folders of the root. Object stores delete in any order, but an interrupted move needs
     * the root's documents to recognise the node, so these are deleted last.
     */
    private static void deleteFolders(BlockingStore store) throws IOException {
        List<String> folders = new ArrayList<>();
        store.list("", entry -> {
            if (entry.kind() == Entry.Kind.PREFIX) {
                folders.add(entry.name());
            }
        });
        for (String folder : folders) {
            store.deleteAll(folder);
        }
    }

    /** Completes a move that was interrupted while it deleted the source. */
    private NoResult completeRemoval(Destination copy, ZarrOptions options) {
        Optional<ZarrNode> rest = Zarr.find(source, "", options);
        if (rest.isPresent()) {
            try (ZarrNode node = rest.get()) {
                refuseOtherObjects(node, options);
                refuseOtherNode(copy, node, options);
                deleteSource(node);
            }
        } else if (Removal.hasInterruptedRemoval(source)) {
            Removal.of(source).run(options);
        } else if (UnclaimedObjects.areRemains(source)) {
            new StoreCalls(BlockingStore.to(source), source.describe()).run(store -> store.deleteAll(""));
        }
        LocalFolders.of(source).ifPresent(Removal::deleteIfEmpty);
        copy.finish(options);
        return NoResult.INSTANCE;
    }

    /**
     * Refuses objects that belong to no node, and chunks outside the grid, which another program has stored at the
     * source since: the first run refused them, and the copy has none of them. A local deletion that has begun has set
     * documents aside. Without these, and in object stores, only what is left of the node can be told from the rest.
     */
    private void refuseOtherObjects(ZarrNode node, ZarrOptions options) {
        String consequence = "an interrupted move was deleting this node, and would delete them too: move them"
                + " elsewhere, then repeat the move. The copy in " + target.describe() + " is complete: keep it";
        if (source.can(Locks.class) && !Removal.hasInterruptedRemoval(source)) {
            UnclaimedObjects.refuse(source, options, consequence);
            refuseOutside(node);
        } else {
            UnclaimedObjects.refuseBesideRemains(source, target, options, consequence);
        }
    }

    /**
     * Refuses a node at the source that is not what the interrupted deletion has left: another program has made or
     * changed it since.
     */
    private void refuseOtherNode(Destination copy, ZarrNode node, ZarrOptions options) {
        Optional<String> difference = copy.isRemovalOf(SourceCheck.documentVersions(node))
                ? compare(options, (from, copied) -> findDifference("", from, copied, this::findDifferenceInRest))
                : compare(options, Move::findAnyDifference);
        difference.ifPresent(fact -> {
            throw new StoreException("an interrupted move was deleting " + source.describe()
                    + ", but the array or group there now differs from the one that was moved: " + fact
                    + ". Another program has made or changed it, or it is incomplete; it is kept. The copy in "
                    + target.describe() + " is complete: keep it. Move the node at the source elsewhere or remove it,"
                    + " then repeat the move to end it");
        });
    }

    /** Refuses chunks outside the grid, which a resize can keep: a copy has no elements of them. */
    private void refuseOutside(ZarrNode node) {
        if (!source.can(Listings.class)) {
            return;
        }
        TreeWalk.visit(
                withAllNodes(source, node),
                array -> StrayChunks.findOutside(array).ifPresent(key -> {
                    throw new StoreException(key + " in " + source.describe() + " lies outside the chunk grid of its "
                            + "array, and a move to another file system or store would lose it: resize the array so "
                            + "that it lies inside, or delete it first (Repair.droppingStrays)");
                }),
                (path, failure) -> {});
    }

    /**
     * Reads the source and the copy again, because a broken network or disk may lose bytes undetected. Objects that
     * were copied between local stores are compared by their bytes, objects that a server copied by their sizes, and
     * all other arrays by their elements.
     */
    private void compare(ZarrOptions options) {
        compare(options, (from, copied) -> findDifference("", from, copied, this::findDifferenceInCopy))
                .ifPresent(fact -> {
                    throw new CorruptDataException(
                            "the copy of " + source.describe() + " in " + target.describe() + " differs from it: "
                                    + fact + "; the source was not deleted. Remove the copy, and move again");
                });
    }

    /** Runs a comparison of the source and the copy, without what the caches know of them. */
    private Optional<String> compare(ZarrOptions options, BiFunction<ZarrNode, ZarrNode, Optional<String>> comparison) {
        ZarrOptions fresh = options.withCacheBytes(0);
        try (ZarrNode from = openNode(source, fresh);
                ZarrNode copied = openNode(target, fresh)) {
            return comparison.apply(withAllNodes(source, from), withAllNodes(target, copied));
        }
    }

    /**
     * Returns a node with all descendants that are stored. The deletion of the source also deletes those that stale
     * consolidated metadata do not name, so the copy must have them.
     */
    private static ZarrNode withAllNodes(Store store, ZarrNode node) {
        return node instanceof ZarrGroup group && store.can(Listings.class) ? group.ignoringConsolidated() : node;
    }

    /** Describes a difference of metadata, nodes or elements, in either direction; empty if there is none. */
    private static Optional<String> findAnyDifference(ZarrNode from, ZarrNode copied) {
        List<Comparison.Difference> found = new ArrayList<>();
        Comparison.of(from, copied).ignoringLayout().reporting(1).run(found::add);
        return found.stream()
                .findFirst()
                .map(first -> "node \"" + first.node() + "\", "
                        + first.kind().name().toLowerCase(Locale.ROOT) + " " + first.position());
    }

    /**
     * Describes a node or elements of {@code from} that {@code copied} lacks; empty if there are none.
     *
     * @param arrays compares two arrays
     */
    private Optional<String> findDifference(
            String path, ZarrNode from, ZarrNode copied, BiFunction<ZarrArray, ZarrArray, Optional<String>> arrays) {
        if (from instanceof ZarrArray one && copied instanceof ZarrArray other) {
            return arrays.apply(one, other).map(fact -> "array \"" + path + "\": " + fact);
        } else if (from instanceof ZarrGroup group && copied instanceof ZarrGroup other) {
            SortedMap<String, ZarrNode> children = other.children();
            return group.children().entrySet().stream()
                    .flatMap(child -> Optional.ofNullable(children.get(child.getKey()))
                            .map(found -> findDifference(
                                    StoreKeys.join(path, child.getKey()), child.getValue(), found, arrays))
                            .orElseGet(() -> Optional.of("expected a node " + child.getKey() + ", found none"))
                            .stream())
                    .findFirst();
        }
        return Optional.of("expected a node of the same type at \"" + path + "\"");
    }

    /** Compares an array with the copy that this run has just made. */
    private Optional<String> findDifferenceInCopy(ZarrArray from, ZarrArray copied) {
        return EncodedCopy.isPossible(from, copied.metadata(), target)
                ? findMissing(from, copied)
                : Comparison.firstOfElements(from, copied);
    }

    /**
     * Compares what an interrupted deletion has left of an array with its copy. Another program may have written to it
     * since, so equal sizes do not suffice: only local objects are compared as they are stored, by their bytes.
     */
    private Optional<String> findDifferenceInRest(ZarrArray rest, ZarrArray copied) {
        boolean areLocal = source.reads() instanceof LocalReads && target.reads() instanceof LocalReads;
        return areLocal && EncodedCopy.isPossible(rest, copied.metadata(), target)
                ? findMissing(rest, copied)
                : RemainderComparison.findDifference(rest, copied);
    }

    private static Optional<String> findMissing(ZarrArray from, ZarrArray copied) {
        return EncodedCopy.findMissing(from, copied)
                .map(key -> "expected " + key + " as in the source, found none or another object");
    }

    /** Opens the node, in the format that the source's location names. */
    private ZarrNode openNode(ZarrOptions options) {
        return openNode(source, options);
    }

    private static ZarrNode openNode(Store source, ZarrOptions options) {
        return Zarr.find(source, "", options)
                .orElseGet(() -> Zarr.open(source.describe(), withFormatOf(source, options)));
    }

    private static ZarrOptions withFormatOf(Store source, ZarrOptions options) {
        FormatChoice chosen = NamedFormat.choice(source);
        return chosen instanceof FormatChoice.Usual ? options : options.withFormats(chosen);
    }

    private void refuseOverlap() {
        if (LocalFolders.overlap(source.describe(), target.describe())) {
            throw new IllegalArgumentException("cannot move " + source.describe() + " to " + target.describe()
                    + ": one of them lies within the other");
        }
    }

    /** Renames the folder. Returns false if one rename cannot do it. */
    private boolean rename(Path from, Path into) {
        if (Files.isSymbolicLink(into) && Files.notExists(into)) {
            throw new StoreException("cannot move " + from + ": the symbolic link " + into
                    + " leads to a place that does not exist; remove the link, or choose another place");
        }
        try {
            Optional<Moves> moves = target.find(Moves.class);
            return moves.isPresent() && moves.get().takeOverTree(source);
        } catch (IOException e) {
            throw new StoreException("cannot rename " + from + " to " + into + ": " + e, e);
        }
    }

    /** Makes a rename durable and updates the groups above both locations. */
    private void recordRename(ZarrOptions options) {
        Settings settings = InternalAccess.inside(options, Settings.class);
        if (options.durability() == Durability.FORCED && target.can(DeviceSync.class)) {
            new StoreCalls(BlockingStore.to(target), target.describe()).run(s -> s.force(""));
        }
        ParentGroups.record(target, options);
        ConsolidatedUpdates.replaced(new StoredNode(new Session(source, settings), ""));
    }
}
