package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.EncodedCopy;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.publish.NodeLock;
import dev.shardkit.maintenance.staging.StagingArea.Record;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.region.resize.GrowthLock;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Copies;
import dev.shardkit.store.access.BlockingStore;
import java.util.Arrays;
import java.util.Optional;

/**
 * Replaces an array by its staged copy in a new layout. At every moment, all objects that the document names exist.
 * Every step is idempotent, so repeating the steps completes an interrupted run:
 *
 * <ol>
 *   <li>link the new objects to unused keys of another key encoding;
 *   <li>in a remote store, compare the elements of the old and the new objects;
 *   <li>atomically replace the document by one with the new layout and that key encoding; restore the old one if a
 *       writer has changed an old object meanwhile;
 *   <li>delete the old objects and link the new objects to the array's own keys; in a remote store, compare both;
 *   <li>replace the document by one with the array's own key encoding;
 *   <li>delete the other keys and the staged objects.
 * </ol>
 *
 * Used by one thread, which holds the lock of the change.
 */
public final class LayoutSwap {
    private final ZarrArray array;
    private final StagingArea staging;
    private final BlockingStore store;

    public LayoutSwap(ZarrArray array, StagingArea staging) {
        this.array = array;
        this.staging = staging;
        this.store = staging.store();
    }

    /** Records that all objects are staged. */
    public void commit(Record record) {
        staging.force();
        staging.write(record.committed(chooseInterimKeys(record.to())));
    }

    /**
     * Chooses an unused chunk key encoding for the transition.
     *
     * @param to the new document
     * @throws UnsupportedException if there is none
     */
    public Json chooseInterimKeys(Json.Obj to) {
        return ChunkKeyObjects.findUnusedEncoding(
                array, to, LayoutMembers.otherKeyEncodings(LayoutChange.read(array, to)));
    }

    /**
     * Completes a change that is recorded as complete. Streams that extend the array wait meanwhile: their slices would
     * be stored in one layout, and their new length in the other.
     *
     * @return whether the change was made; false if the array has changed since, so that the change was discarded
     */
    public boolean finish(Record record) {
        return new NodeLock(array)
                .whileHolding(StoreKeys.join(array.path(), GrowthLock.NAME), () -> finishAlone(record));
    }

    private boolean finishAlone(Record begun) {
        Record record = begun;
        while (true) {
            ArrayMetadata now = current();
            Json.Obj document = MetadataWriter.document(now);
            if (record.step() == Step.ENDED) {
                return cleanUp(document, record);
            } else if (LayoutMembers.isSame(document, record.from())) {
                record =
                        hasChanged(record) ? recordEnd(record, findInterimChange(record)) : publishInterim(now, record);
            } else if (!LayoutMembers.hasSameChunks(document, record.to())) {
                record = recordEnd(record, "");
            } else if (!LayoutMembers.hasKeys(document, record.interim())) {
                record = recordEnd(record, findLostWrites(record, document));
            } else if (record.step() == Step.COMMITTED && hasChanged(record)) {
                // Writes that ended before the document was replaced are visible now. Later writes fail.
                changeDocument(now, record.from(), true);
            } else {
                record = moveToOwnKeys(now, recordSwitch(record));
            }
        }
    }

    /** Whether a writer has changed an old object. */
    private boolean hasChanged(Record record) {
        return !ArrayFingerprint.of(open(record.from())).equals(record.source());
    }

    /** Records that the document has the new layout, so that the old objects can be deleted. */
    private Record recordSwitch(Record record) {
        if (record.step() != Step.COMMITTED) {
            return record;
        }
        Record switched = record.with(Step.SWITCHED, record.links());
        staging.write(switched);
        return switched;
    }

    /**
     * Records that only the cleanup is left. A run that is interrupted during the cleanup finds fewer objects, and must
     * not treat that as a change.
     *
     * @param lost the key of a write that may be lost; empty if there is none
     */
    private Record recordEnd(Record record, String lost) {
        Record ended = record.with(Step.ENDED, lost);
        staging.write(ended);
        return ended;
    }

    /**
     * Deletes the remaining objects of the change. Throws if a write may be lost: at this step, the links of the record
     * name its key ({@link #recordEnd}).
     *
     * @return whether the array has the new layout
     */
    private boolean cleanUp(Json.Obj document, Record record) {
        boolean changed = LayoutMembers.hasSameChunks(document, record.to());
        if (!LayoutMembers.hasKeys(document, record.interim())) {
            new ChunkKeyObjects(open(LayoutMembers.withKeys(changed ? document : record.to(), record.interim())))
                    .deleteAll();
        }
        staging.discard();
        if (!record.links().isEmpty()) {
            throw lostWrites(changed ? "the layout is changed" : "the layout was not changed", record.links());
        }
        return changed;
    }

    /**
     * Names the keys to which writers wrote while the last change of the document was made; empty if there are none.
     * Later writes and changes of the shape replace and delete objects under the array's own keys. These may be links
     * to the same files, so the fingerprint covers contents only.
     */
    private String findLostWrites(Record record, Json.Obj document) {
        ZarrArray interim = open(LayoutMembers.withKeys(document, record.interim()));
        if (record.step() != Step.LINKED || ArrayFingerprint.ofContents(interim).equals(record.links())) {
            return "";
        }
        AliasKeys ownKeys = new AliasKeys(staging, interim, open(document));
        return ownKeys.isEmpty() ? "the array" : ownKeys.describeDifferences();
    }

    /** Describes a change of the new objects by a writer while the document named them; empty if there is none. */
    private String findInterimChange(Record record) {
        boolean changed = !record.links().isEmpty()
                && !ArrayFingerprint.of(open(LayoutMembers.withKeys(record.to(), record.interim())))
                        .equals(record.links());
        return changed ? "the array" : "";
    }

    /** Links the new objects to the interim keys and switches the document to them. */
    private Record publishInterim(ArrayMetadata now, Record record) {
        if (!record.links().isEmpty()) {
            staging.write(record.with(Step.COMMITTED, "")); // the new objects are linked again
        }
        ZarrArray own = open(record.to());
        ZarrArray interim = open(LayoutMembers.withKeys(record.to(), record.interim()));
        try {
            new ChunkKeyObjects(interim).deleteAll();
            staging.link(links -> staging.visitObjects((staged, ownKey) ->
                    links.accept(staged, ArrayInternals.of(interim).key(cell(own, ownKey)))));
        } catch (UnsupportedException e) {
            cleanUp(MetadataWriter.document(current()), recordEnd(record, ""));
            throw e;
        }
        compareIfRemote(open(record.from()), interim).ifPresent(fact -> {
            cleanUp(MetadataWriter.document(current()), recordEnd(record, ""));
            throw new StoreException("the new objects of " + array.location() + " differ from the old ones: " + fact
                    + "; the array was not changed. Run the change again");
        });
        Record linked = record.with(Step.COMMITTED, ArrayFingerprint.of(interim));
        staging.write(linked);
        Json.Obj next = LayoutMembers.withKeys(
                LayoutMembers.withChunksOf(MetadataWriter.document(now), record.to()), record.interim());
        changeDocument(now, next, keepsChunks(open(record.from()), own));
        return linked;
    }

    /** Compares the elements of two arrays in a remote store, because a broken network may lose bytes undetected. */
    private Optional<String> compareIfRemote(ZarrArray before, ZarrArray after) {
        return ArrayInternals.of(array).node().session().isLocal()
                ? Optional.empty()
                : Comparison.firstOfElements(before, after);
    }

    /** Compares copied objects in a remote store: by size if the server has copied them, otherwise by element. */
    private Optional<String> findDifference(ZarrArray from, ZarrArray copied) {
        boolean isServerCopy = !ArrayInternals.of(array).node().session().isLocal()
                && store.store().find(Copies.class).isPresent();
        return isServerCopy
                ? EncodedCopy.findMissing(from, copied).map(key -> key + " is not there, or has another size")
                : compareIfRemote(from, copied);
    }

    private static long[] cell(ZarrArray own, String key) {
        return ArrayInternals.of(own)
                .cell(key)
                .orElseThrow(() -> new StoreException("a staged object is not a chunk: " + key));
    }

    /** Links the objects to the array's own keys and switches the document to these keys. */
    private Record moveToOwnKeys(ArrayMetadata now, Record record) {
        staging.deleteObjects();
        ZarrArray interim = open(MetadataWriter.document(now));
        Json keys = record.from().get("chunk_key_encoding").orElseThrow();
        Json.Obj ownDocument = LayoutMembers.withKeys(MetadataWriter.document(now), keys);
        ZarrArray own = open(ownDocument);
        new ChunkKeyObjects(own).deleteAll();
        new AliasKeys(staging, interim, own).link();
        findDifference(interim, own).ifPresent(fact -> {
            throw new StoreException("the copies of the new objects of " + array.location()
                    + " under the array's own keys differ from them: " + fact
                    + "; the array has the new layout and all elements. Run the change again to complete it");
        });
        Record linked = record.with(Step.LINKED, ArrayFingerprint.ofContents(interim));
        staging.write(linked);
        changeDocument(now, ownDocument, true);
        return linked;
    }

    private StoreException lostWrites(String outcome, String where) {
        StoreException e = new StoreException(
                outcome + ", but another program wrote to the array meanwhile, and its writes may be lost; check these "
                        + "chunks, or write them again: " + where);
        return (StoreException) e.locate(Optional.of(array.location()), Optional.empty(), Optional.empty());
    }

    /** Whether the innermost chunks stay the same, so that {@code nonempty_chunks} remains valid. */
    static boolean keepsChunks(ZarrArray from, ZarrArray to) {
        boolean equal = from.isSharded() || from.metadata().chunkGrid().name().equals("regular");
        return equal && Arrays.equals(from.chunkShape(), to.chunkShape());
    }

    private void changeDocument(ArrayMetadata expected, Json.Obj document, boolean keepsChunks) {
        ArrayMetadata next = LayoutChange.read(array, document);
        Json.Obj before = MetadataWriter.document(expected);
        ArrayInternals.of(array).changeMetadata(expected, now -> {
            if (!LayoutMembers.isSame(MetadataWriter.document(now), before)) {
                throw new StoreException("another program changed the metadata of the array");
            }
            ArrayMetadata changed = next.withAttributes(now.attributes());
            return keepsChunks ? changed : LayoutChange.withoutNonemptyChunks(changed);
        });
    }

    private ArrayMetadata current() {
        return UnfinishedLayout.reopen(array).metadata();
    }

    private ZarrArray open(Json.Obj document) {
        return Zarr.openArray(store.store(), array.path(), LayoutChange.read(array, document), array.options());
    }
}
