package dev.shardkit.maintenance.destination;

import dev.shardkit.IfExists;
import dev.shardkit.ZarrOptions;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.tree.ParentGroups;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.session.creation.EnclosingArray;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.session.publication.UnfinishedMoves;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The root of a store that receives a new array or tree. It deletes only Zarr nodes and nodes marked as unfinished, so
 * a mistyped folder loses no data. One thread begins or resumes the work and ends it; {@link #requireHeld} and
 * {@link #isHeld} may be called by any thread in between.
 */
public final class Destination {
    /** The folder of the intermediate array of a copy in two passes, below the root. */
    public static final String INTERMEDIATE = "__rechunk";

    private static final String DOCUMENT = "zarr.json";
    /** The digest of the source's documents in the record of a move that deletes its source. */
    private static final String MOVED_DOCUMENTS = "moved_documents";

    private static final List<String> DOCUMENTS_OF_V2 = List.of(".zgroup", ".zarray");

    private final BlockingStore store;
    private final StoreCalls calls;
    private final Publication publication;
    private final WorkKind work;
    private final Json.Obj details;
    private final boolean replacesV2;
    /** The record of this run: a new one ({@link #begin}) or that of an interrupted run ({@link #resume}). */
    private Optional<PublicationRecord> begun = Optional.empty();

    private Destination(BlockingStore store, WorkKind work, Json.Obj details, boolean replacesV2) {
        this.store = store;
        this.calls = new StoreCalls(store, store.describe());
        this.publication = Publication.at(store.store(), "");
        this.work = work;
        this.details = details;
        this.replacesV2 = replacesV2;
    }

    /**
     * Returns the root of {@code store}, which receives a copy.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes
     */
    public static Destination of(Store store) {
        store.need(Writes.class, "making a new array or group");
        return new Destination(BlockingStore.to(store), WorkKind.COPY, Json.object(), false);
    }

    /** Returns this root for a copy in two passes, whose intermediate array lies at {@code path} below the root. */
    public Destination ofPasses(String path) {
        return new Destination(store, work, Publication.intermediate(path), replacesV2);
    }

    /** Returns this root, which receives an import from files. Without a source, it is never resumed. */
    public Destination ofImport() {
        return new Destination(store, WorkKind.IMPORT, details, replacesV2);
    }

    /** Returns this root, which receives a conversion. */
    public Destination ofConversion() {
        return new Destination(store, WorkKind.CONVERSION, details, replacesV2);
    }

    /** Returns this root, which receives a pyramid; nodes of Zarr v2 may be replaced too. */
    public Destination ofPyramid() {
        return new Destination(store, WorkKind.PYRAMID, details, true);
    }

    /** Returns this root, a group, which receives a pyramid beside its level 0, the array at {@code path}. */
    public Destination ofPyramidBeside(String path) {
        return new Destination(store, WorkKind.PYRAMID, Publication.ofArray(path), false);
    }

    /**
     * Deletes the node or the unfinished work at the root, if {@code existing} allows it. No-op for an empty root.
     *
     * @param existing what to do with an existing node, or with the objects of an interrupted call
     * @throws StoreException if the root holds objects that must not be replaced, or lies in the folder of an array
     */
    public void clear(IfExists existing) {
        store.store().need(Listings.class, "finding out whether the place is empty");
        if (existing == IfExists.OVERWRITE) {
            store.store().need(TreeDeletions.class, "replacing an array or group");
        }
        EnclosingArray.refuseRoot(store.store());
        calls.run(s -> clear(existing == IfExists.OVERWRITE));
    }

    /**
     * Refuses a root that holds a finished node, for callers that never replace one. An unfinished copy may be resumed.
     *
     * @throws StoreException if there is a finished node
     */
    public void refuseNode() {
        calls.run(s -> refuseStoredNode());
    }

    private void refuseStoredNode() throws IOException {
        if (StoredObjects.has(store, DOCUMENT) && !publication.isMarked()) {
            throw new StoreException(store.describe()
                    + " already holds an array or group, which is never overwritten by a move: remove it first, or "
                    + "choose another place"
                    + (store.store().find(Commits.class).isPresent()
                            ? ". If it is the copy of an interrupted move, the source may be incomplete: keep the copy,"
                                    + " and remove the source"
                            : ""));
        }
    }

    private boolean holdsV2Node() throws IOException {
        for (String name : DOCUMENTS_OF_V2) {
            if (StoredObjects.has(store, name)) {
                return true;
            }
        }
        return false;
    }

    private void clear(boolean overwrite) throws IOException {
        boolean holdsNode = StoredObjects.has(store, DOCUMENT) || replacesV2 && holdsV2Node();
        Optional<WorkKind> unfinished = holdsNode ? Optional.empty() : WorkKind.at(store, "");
        if (unfinished.isPresent() && !unfinished.get().isRemovable()) {
            throw new StoreException(store.describe() + " holds "
                    + unfinished.get().text() + ": " + unfinished.get().advice() + "; nothing was overwritten");
        } else if (holdsNode || unfinished.isPresent()) {
            if (!overwrite) {
                throw new StoreException(store.describe() + " already holds "
                        + unfinished.map(WorkKind::text).orElse("an array or group")
                        + "; to replace it, with all that it contains, use IfExists.OVERWRITE"
                        + (unfinished
                                        .filter(found -> found == WorkKind.COPY || found == WorkKind.PYRAMID)
                                        .isPresent()
                                ? ". It cannot be resumed by this call: source or settings differ, or the source is "
                                        + "remote or has changed"
                                : ""));
            }
            UnfinishedMoves.refuse(store, "", "nothing was overwritten");
            publication.beginRemoval("nothing was overwritten", Durability.ATOMIC);
            if (hasIntermediate()) {
                deleteIntermediate(); // first: without the record, a later run could not recognise it
            }
            store.deleteAll("");
            return;
        }
        List<String> names = new ArrayList<>();
        store.list("", entry -> names.add(entry.name()));
        boolean isHalfRemoved = !names.isEmpty() && Removal.hasInterruptedRemoval(store.store());
        if (isHalfRemoved && overwrite) {
            store.deleteAll("");
        } else if (isHalfRemoved) {
            throw new StoreException(store.describe() + " holds what an interrupted removal has left (" + names.get(0)
                    + "); remove it (Removal), or use IfExists.OVERWRITE");
        } else if (!names.isEmpty()) {
            throw new StoreException(store.describe() + " is not empty and does not hold a Zarr v3 node (it holds "
                    + names.get(0) + "); nothing was overwritten");
        }
    }

    private boolean hasIntermediate() {
        try {
            return publication
                    .record(WorkKind.COPY)
                    .filter(Publication::hasIntermediate)
                    .isPresent();
        } catch (MetadataException e) {
            return false;
        }
    }

    /**
     * Deletes the intermediate array of a copy in two passes, its document first. Otherwise readers would read deleted
     * chunks as fill values.
     */
    public void deleteIntermediate() {
        calls.run(s -> {
            s.delete(StoreKeys.join(INTERMEDIATE, DOCUMENT));
            s.deleteAll(INTERMEDIATE);
        });
    }

    /**
     * Resumes unfinished work of this kind with this source, if the root is marked with it: its record becomes that of
     * this run, in place of a new one ({@link #begin}). An empty source never matches.
     *
     * @return whether there was such work
     */
    public boolean resume(String source) {
        Optional<PublicationRecord> held = publication.held(work, source);
        begun = held.isPresent() ? held : begun;
        return held.isPresent();
    }

    /**
     * Marks the root as unfinished work of this kind and source, until {@link #finish}.
     *
     * @throws StoreException if it holds other unfinished work
     */
    public void begin(String source, Durability durability) {
        publication.recordRefusingOthers(work); // throws if other work is recorded
        PublicationRecord record = PublicationRecord.started(
                work,
                source,
                details.with(Publication.RUN, Json.of(UUID.randomUUID().toString())));
        begun = Optional.of(record); // also if the put fails: the store may have it, and the caller then removes it
        publication.write(record, durability);
    }

    /**
     * Checks before each document is published that the root is still the unfinished work of this run. Another program
     * may have removed the objects that were stored so far, or replaced them.
     *
     * @throws StoreException if it is not
     */
    public void requireHeld() {
        begun.ifPresent(publication::requireHeld);
    }

    /**
     * Runs the work of this run under the lock of its record, if the store has locks. Removals of the root, and other
     * runs that replace its content, wait for it and then fail.
     *
     * @throws StoreException if another run holds the lock, or the root is not the unfinished work of this run any more
     */
    public <T> T whileLocked(ZarrOptions options, Supplier<T> run) {
        return publication.whileLocked(options.lockPatience(), () -> {
            if (store.can(Locks.class)) { // another program may have taken the root while this one waited for the lock
                requireHeld();
            }
            return run.get();
        });
    }

    /** Returns the publication at the root. */
    public Publication publication() {
        return publication;
    }

    /**
     * Describes the unfinished work at the root of a store, such as "an unfinished import"; empty if there is a node,
     * or nothing.
     */
    public static Optional<String> unfinished(Store store) {
        return new StoreCalls(BlockingStore.to(store), store.describe())
                .get(s -> StoredObjects.has(s, DOCUMENT) ? Optional.<WorkKind>empty() : WorkKind.at(s, ""))
                .map(WorkKind::text);
    }

    /** Whether the root is still the unfinished work of this run, as {@link #requireHeld} checks. */
    public boolean isHeld() {
        return begun.filter(publication::isHeld).isPresent();
    }

    /**
     * Records that the copy of a move is complete and compared: only the node at {@code from} is to be deleted.
     *
     * @param documents the digest of the node's documents, by which {@link #isRemovalOf} recognises the node
     */
    public void beginRemoval(String from, String documents, Durability durability) {
        PublicationRecord copied = begun.orElseThrow()
                .with(Step.SWITCHED)
                .with(PublicationRecord.MOVED_FROM, Json.of(from))
                .with(MOVED_DOCUMENTS, Json.of(documents));
        publication.replace(begun.orElseThrow(), copied, durability);
        begun = Optional.of(copied);
    }

    /**
     * Resumes a move to the root that has compared its copy, and was deleting the node at {@code from}.
     *
     * @return whether there was such a move
     */
    public boolean resumeRemoval(String from) {
        if (!publication.isMarked()) {
            return false;
        }
        Optional<PublicationRecord> found =
                publication.record(work).filter(record -> record.movedFrom().equals(Optional.of(from)));
        begun = found.isPresent() ? found : begun;
        return found.isPresent();
    }

    /**
     * Whether the root holds a node whose copy was interrupted before it ended, and that is never resumed, because its
     * source is remote or the copy was not durable.
     */
    public boolean holdsUnresumableCopy() {
        return publication
                        .record(work)
                        .filter(record ->
                                record.step() == Step.STAGING && record.source().isEmpty())
                        .isPresent()
                && has(DOCUMENT);
    }

    /** Whether the move that {@link #resumeRemoval} resumed was deleting the node with these documents. */
    public boolean isRemovalOf(String documents) {
        return begun.flatMap(record -> record.details().get(MOVED_DOCUMENTS)).equals(Optional.of(Json.of(documents)));
    }

    /** Describes the node or unfinished node at the root; empty if there is none. */
    public Optional<String> describeContent() {
        return calls.get(s -> StoredObjects.has(s, DOCUMENT)
                ? Optional.of("an array or group")
                : WorkKind.at(s, "").map(WorkKind::text));
    }

    /** Whether there is an object under {@code key}. */
    public boolean has(String key) {
        return calls.get(s -> StoredObjects.has(s, key));
    }

    /**
     * Whether an interrupted run has completed the node at {@code path}: it has the document that this run would write.
     * Its chunks are not compared.
     *
     * @param written the metadata that this run would write
     * @throws StoreException if there is a node with other metadata, which another program has made
     */
    public boolean isFinished(String path, NodeMetadata written, ZarrOptions options) {
        return FinishedNodeCheck.isFinished(store.store(), path, written, options);
    }

    /**
     * Whether an interrupted run has stored this metadata document of another format.
     *
     * @throws StoreException if there is another document, which another program has made
     */
    public boolean isStored(String key, Json.Obj document, ZarrOptions options) {
        Optional<Json> found = calls.get(s -> StoredObjects.find(s, key, object -> parse(object, options.limits())));
        Json expected = JsonReader.read(document.toString().getBytes(StandardCharsets.UTF_8), options.limits());
        if (found.isPresent() && !found.get().equals(expected)) {
            throw FinishedNodeCheck.mismatch(
                    store.store(), StoreKeys.parent(key), "expected " + expected + ", found " + found.get());
        }
        return found.isPresent();
    }

    /** Reads a document. Returns an error text if it is not JSON or too large. */
    private static Json parse(ObjectSnapshot object, Limits limits) throws IOException {
        if (object.size() > limits.metadataBytes()) {
            return Json.of("a document of " + object.size() + " bytes");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) object.size());
        object.read(0, bytes);
        try {
            return JsonReader.read(bytes.array(), limits);
        } catch (MetadataException e) {
            return Json.of("no JSON: " + e.fact());
        }
    }

    /** Stores a metadata document of another format. */
    public void put(String key, Json.Obj document, Durability durability) {
        Bytes bytes = Bytes.of(document.toString().getBytes(StandardCharsets.UTF_8));
        calls.run(s -> s.put(key, Content.of(bytes), durability));
    }

    /** Stores a document of another format. */
    public void put(String key, Bytes content, Durability durability) {
        calls.run(s -> s.put(key, Content.of(content), durability));
    }

    /** Whether the root is marked as unfinished. */
    public boolean isMarked() {
        return publication.isMarked();
    }

    /** Whether no object exists at or below {@code path}. */
    public boolean isFree(String path) {
        store.store().need(Listings.class, "finding out whether the place is empty");
        return calls.get(s -> {
            List<Entry> found = new ArrayList<>();
            s.list(path, found::add);
            return found.isEmpty();
        });
    }

    /** Removes the mark, and records the complete tree in the consolidated metadata of the groups above. */
    public void finish(ZarrOptions options) {
        publication.end(work);
        ParentGroups.record(store.store(), options);
    }
}
