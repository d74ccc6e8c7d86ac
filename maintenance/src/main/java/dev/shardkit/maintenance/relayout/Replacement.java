package dev.shardkit.maintenance.relayout;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.publish.DocumentChange;
import dev.shardkit.maintenance.publish.NodeLock;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.staging.ChunkKeyObjects;
import dev.shardkit.maintenance.staging.LayoutChange;
import dev.shardkit.maintenance.staging.LayoutMembers;
import dev.shardkit.maintenance.staging.LayoutPreconditions;
import dev.shardkit.maintenance.staging.ReplacementKeys;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.region.resize.GrowthLock;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Replaces all elements of existing arrays. The new chunks are stored beside the old ones, under the keys of another
 * chunk key encoding, which readers of the old document do not read. For each array, one put of {@code zarr.json} then
 * switches to the new chunks, and the old ones are deleted. So the new array has another chunk key encoding, and the
 * store needs no renames. Successive replacements use four encodings in turn: {@code default} and {@code v2}, then both
 * with the other separator. A program that opened the array before a replacement still reads the old keys. Only the
 * fourth replacement after that uses these keys again.
 *
 * <pre>{@code
 * try (Replacement replacement = Replacement.begin(store, List.of("a"), new long[] {6, 8}, options)) {
 *     ZarrOptions owned = options.withOwnership(WriteOwnership.OWNED);
 *     ZarrArray next = Zarr.openArray(store, "a", replacement.arrays().get("a"), owned);
 *     next.write(next.domain(), elements, 0); // several processes may write different shards
 *     replacement.commit();
 * }
 * }</pre>
 *
 * <p>A record at the root of the store contains the state of a replacement; each array has a mark that refers to it. A
 * replacement that was not committed is rolled back by {@link #close}, by the next replacement, by {@link #settle} or
 * by {@link Repair}, even if it still runs. A committed one is completed. So if a second replacement begins, the first
 * one is rolled back and fails at its commit. The second one uses other keys, because the program of the first one may
 * still write chunks. After {@code close}, {@code settle} or a repair, stop the programs that write for the old
 * replacement before a new one begins: their keys are no longer recorded. These calls lock the record. In a store
 * without locks, a call of {@code begin}, {@code settle} or {@code close}, or a repair, must not run during a
 * {@code commit}: the old and the new chunks could be deleted.
 *
 * <p>No other program may write elements of the arrays meanwhile: such writes are lost at the commit. Changed
 * attributes stay, except {@code nonempty_chunks}, which the commit removes.
 *
 * <p>Used by one thread; {@link #isRunning} may be called from anywhere.
 */
public final class Replacement implements AutoCloseable {
    private final Store store;
    private final Publication publication;
    private final ZarrOptions options;
    private final PublicationRecord record;
    private final List<DocumentChange> changes;
    /** Whether the put of the committed record has begun: from then on, {@link #close} must not roll back. */
    private boolean committing;

    private Replacement(Store store, ZarrOptions options, PublicationRecord record) {
        this.store = store;
        this.publication = Publication.at(store, "");
        this.options = options;
        this.record = record;
        this.changes = DocumentChange.of(record, publication.location());
    }

    /**
     * Begins to replace the elements of arrays. Readers see no change until {@link #commit}.
     *
     * @param paths the paths of the arrays in the store
     * @param shape the new shape of all of them
     * @throws UnsupportedException if the store cannot list or delete, or has neither locks nor conditional puts and
     *     the options do not own the arrays; if an array is not of Zarr v3, or has storage transformers; or if there
     *     are objects under the keys that the new chunks need
     * @throws StoreException if an array was not found or the store failed, if another call holds the lock of the
     *     record for longer than the options allow, or if an interrupted replacement cannot be completed
     *     ({@link #settle})
     */
    public static Replacement begin(Store store, List<String> paths, long[] shape, ZarrOptions options) {
        store.need(Listings.class, "replacing the elements of an array");
        store.need(TreeDeletions.class, "replacing the elements of an array");
        LayoutPreconditions.refuseUnguarded(store, options, "replacing the elements of an array");
        return Publication.at(store, "")
                .whileLocked(options.lockPatience(), () -> beginLocked(store, paths, shape, options));
    }

    private static Replacement beginLocked(Store store, List<String> paths, long[] shape, ZarrOptions options) {
        // The program of a replacement that is rolled back here may still write chunks: its keys are not chosen again.
        Map<String, Json> rolledBackKeys = new HashMap<>();
        settleLocked(store, options)
                .filter(left -> !left.record.isCommitted())
                .ifPresent(left -> left.changes.forEach(item -> rolledBackKeys.put(item.path(), item.toKeys())));
        Publication.at(store, "").recordRefusingOthers(WorkKind.REPLACEMENT); // or refuses
        List<DocumentChange> items = new ArrayList<>();
        for (String path : paths) {
            Publication.at(store, path).recordRefusingOthers(WorkKind.REPLACEMENT); // or refuses
            items.add(ReplacementKeys.choose(
                    Zarr.openArray(store, path, options), shape, Optional.ofNullable(rolledBackKeys.get(path))));
        }
        Replacement replacement = new Replacement(
                store,
                options,
                PublicationRecord.started(
                        WorkKind.REPLACEMENT, UUID.randomUUID().toString(), DocumentChange.details(items)));
        replacement.publication.write(replacement.record, options.durability());
        try {
            replacement.arrayPublications().forEach(member -> member.markMember(replacement.record, options));
        } catch (ZarrException e) {
            try {
                replacement.end(); // no chunk was stored; the other work at the array continues
            } catch (ZarrException left) {
                e.addSuppressed(left); // the record stays, and the next replacement removes it
            }
            throw e;
        }
        return replacement;
    }

    /** Returns the publications of the arrays, except an array at the root, which has the record itself. */
    private List<Publication> arrayPublications() {
        return changes.stream()
                .filter(item -> !item.path().isEmpty())
                .map(item -> Publication.at(store, item.path()))
                .toList();
    }

    /** Deletes the marks of the arrays, and then the record. */
    private void end() {
        arrayPublications().forEach(member -> member.end(WorkKind.REPLACEMENT));
        publication.end(WorkKind.REPLACEMENT);
    }

    /** Returns the metadata with which the new chunks are written, by the path of the array. */
    public Map<String, ArrayMetadata> arrays() {
        Map<String, ArrayMetadata> arrays = new LinkedHashMap<>();
        changes.forEach(item -> arrays.put(item.path(), metadata(item.to())));
        return arrays;
    }

    /** Returns a unique id, for {@link #isRunning} in other processes. */
    public String id() {
        return record.source();
    }

    /** Whether the replacement with this id still runs: it is not committed, and no other one has begun. */
    public static boolean isRunning(Store store, String id) {
        return Publication.at(store, "").held(WorkKind.REPLACEMENT, id).isPresent();
    }

    /**
     * Switches the arrays to the new chunks, one after another, and deletes the old ones.
     *
     * @throws StoreException if this replacement was rolled back, if another call holds the lock of the record for
     *     longer than the options allow, if the store failed, or if another program has changed the layout or shape of
     *     an array. If the change was made before the commit began, all arrays are unchanged. If it was made during the
     *     commit, other arrays may already have their new elements.
     */
    public void commit() {
        publication.whileLocked(options.lockPatience(), () -> {
            refuseChanged();
            committing = true;
            publication.write(record.with(Step.COMMITTED), options.durability());
            complete();
            return NoResult.INSTANCE;
        });
    }

    private void refuseChanged() {
        if (!isRunning(store, id())) {
            throw new StoreException(
                    store.describe() + ": cannot commit, because this replacement has ended: another replacement,"
                            + " settle or repair rolled it back, or it was committed before; begin it again");
        }
        for (DocumentChange item : changes) {
            if (!isMarked(item)
                    || currentMetadata(item.path())
                            .filter(now -> LayoutMembers.isSame(MetadataWriter.document(now), item.from()))
                            .isEmpty()) {
                throw changedArray(item, "while its elements were replaced");
            }
        }
    }

    private StoreException changedArray(DocumentChange item, String when) {
        return new StoreException(StoreKeys.location(store.describe(), item.path())
                + " was deleted, or got another layout or shape, " + when);
    }

    /**
     * Rolls this replacement back, unless it has ended. Does nothing once {@link #commit} has begun to store the
     * committed record, even if that put failed: the store may still execute it. Then the next replacement,
     * {@link #settle} or {@link Repair} ends this one.
     *
     * @throws StoreException if the store failed, or if another call holds the lock of the record for longer than the
     *     options allow; the replacement is then not rolled back
     */
    @Override
    public void close() {
        if (committing) {
            return;
        }
        publication.whileLocked(options.lockPatience(), () -> {
            if (isRunning(store, id())) {
                rollBack();
            }
            return NoResult.INSTANCE;
        });
    }

    /**
     * Ends an interrupted replacement: rolls it back, or completes it if it was committed. A replacement that still
     * runs is rolled back too, and fails at its commit.
     *
     * @return whether there was one
     * @throws StoreException if it was committed and an array has got another layout or shape since
     */
    public static boolean settle(Store store, ZarrOptions options) {
        Publication publication = Publication.at(store, "");
        return publication.record(WorkKind.REPLACEMENT).isPresent()
                && publication
                        .whileLocked(options.lockPatience(), () -> settleLocked(store, options))
                        .isPresent();
    }

    private static Optional<Replacement> settleLocked(Store store, ZarrOptions options) {
        Optional<Replacement> found = Publication.at(store, "")
                .record(WorkKind.REPLACEMENT)
                .map(record -> new Replacement(store, options, record));
        found.ifPresent(left -> {
            if (left.record.isCommitted()) {
                left.complete();
            } else {
                left.rollBack();
            }
        });
        return found;
    }

    private void rollBack() {
        for (DocumentChange item : markedChanges()) {
            if (!isSwitched(item)) {
                new ChunkKeyObjects(open(item, item.to())).deleteAll();
            }
        }
        end();
    }

    /** Switches all arrays, and then deletes the old chunks. Every step can be repeated. */
    private void complete() {
        List<DocumentChange> marked = markedChanges();
        for (DocumentChange item : marked) {
            ZarrArray array = open(item, item.from());
            new NodeLock(array).whileHolding(StoreKeys.join(item.path(), GrowthLock.NAME), () -> {
                currentMetadata(item.path()).ifPresent(now -> {
                    ArrayInternals.of(array).changeMetadata(now, found -> switchDocument(found, item));
                    ConsolidatedUpdates.changed(ArrayInternals.of(array).node());
                });
                return NoResult.INSTANCE;
            });
        }
        for (DocumentChange item : marked) {
            if (isSwitched(item)) {
                new ChunkKeyObjects(open(item, item.from())).deleteAll();
            }
        }
        end();
    }

    /** Returns the arrays that still have the mark of this replacement. Chunks of the others belong to other work. */
    private List<DocumentChange> markedChanges() {
        return changes.stream().filter(this::isMarked).toList();
    }

    /** Whether an array has the mark of this replacement. An array at the root has the record instead. */
    private boolean isMarked(DocumentChange item) {
        return item.path().isEmpty()
                || Publication.at(store, item.path())
                        .held(WorkKind.REPLACEMENT, id())
                        .isPresent();
    }

    /** Whether the document of an array names the new chunks. */
    private boolean isSwitched(DocumentChange item) {
        return currentMetadata(item.path())
                .filter(now -> LayoutMembers.hasKeys(MetadataWriter.document(now), item.toKeys()))
                .isPresent();
    }

    /**
     * Returns the document that names the new chunks. Runs under the node's lock, so no writer changes the document
     * between check and change.
     */
    private ArrayMetadata switchDocument(ArrayMetadata now, DocumentChange item) {
        Json.Obj document = MetadataWriter.document(now);
        if (LayoutMembers.isSame(document, item.from())) {
            return LayoutChange.withoutNonemptyChunks(metadata(item.to()).withAttributes(now.attributes()));
        } else if (LayoutMembers.hasKeys(document, item.fromKeys())) {
            throw changedArray(
                    item,
                    "after its new elements were committed. To keep what it has now, delete " + publication.location()
                            + " and then the stray chunks that repair names");
        }
        return now;
    }

    private Optional<ArrayMetadata> currentMetadata(String path) {
        Optional<ZarrNode> node = Zarr.find(store, path, options);
        return node.filter(ZarrArray.class::isInstance).map(found -> ((ZarrArray) found).metadata());
    }

    private ArrayMetadata metadata(Json.Obj document) {
        return LayoutChange.read(options, document);
    }

    private ZarrArray open(DocumentChange item, Json.Obj document) {
        return Zarr.openArray(store, item.path(), metadata(document), options);
    }
}
