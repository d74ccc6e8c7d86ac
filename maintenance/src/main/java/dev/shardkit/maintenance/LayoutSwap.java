package dev.shardkit.maintenance;

import dev.shardkit.ChunkManifest;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Staging.Record;
import dev.shardkit.maintenance.Staging.State;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import dev.shardkit.store.StoreAccess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces an array by its staged copy in a new layout. At every moment the document names objects that all exist.
 * Every step is idempotent, so repeating the steps completes an interrupted run:
 *
 * <ol>
 *   <li>link the new objects to unused keys of another key encoding;
 *   <li>atomically replace the document by one with the new layout and that key encoding; put the old one back if a
 *       writer has changed an old object meanwhile;
 *   <li>delete the old objects and link the new objects to the array's own keys;
 *   <li>replace the document by one with the array's own key encoding;
 *   <li>delete the other keys and the staged objects.
 * </ol>
 *
 * Used by one thread, which holds the lock of the change.
 */
final class LayoutSwap {
    private final ZarrArray array;
    private final Staging staging;
    private final StoreAccess store;

    LayoutSwap(ZarrArray array, Staging staging) {
        this.array = array;
        this.staging = staging;
        this.store = staging.store();
    }

    /** Chooses an unused key encoding for the transition, and records that all objects are staged. */
    void commit(Record record) {
        staging.force();
        ArrayMetadata to = LayoutChange.read(array, record.to());
        for (Json keys : Layouts.others(to)) {
            if (isFree(open(Layouts.withKeys(record.to(), keys)))) {
                staging.write(new Record(State.COMPLETE, record.from(), record.to(), record.source(), keys));
                return;
            }
        }
        throw new UnsupportedException(
                "every interim key encoding collides with objects that are not chunks of the array");
    }

    /**
     * Completes a change that is recorded as complete.
     *
     * @return whether the change was made; if the array has changed since, discards it and returns false
     */
    boolean finish(Record record) {
        while (true) {
            ArrayMetadata now = current();
            Json.Obj document = MetadataWriter.document(now);
            Json own = record.from().get("chunk_key_encoding").orElseThrow();
            if (Layouts.isSame(document, record.from())) {
                if (!Fingerprint.of(open(document)).equals(record.source())) {
                    return giveUp(record);
                }
                String appeared;
                try {
                    appeared = appear(now, record);
                } catch (UnsupportedException e) {
                    giveUp(record);
                    throw e;
                }
                // A write that ended before the document was replaced is seen now; one that ends later fails.
                if (!Fingerprint.of(open(record.from())).equals(record.source())) {
                    boolean lost = takeBack(record, appeared);
                    giveUp(record);
                    if (lost) {
                        throw lost("the layout was not changed", "the array");
                    }
                    return false;
                }
            } else if (!Layouts.isSameCut(document, record.to())) {
                return giveUp(record);
            } else if (Layouts.hasKeys(document, record.interim())) {
                settle(now, own);
            } else {
                clear(open(Layouts.withKeys(document, record.interim())));
                staging.discard();
                return true;
            }
        }
    }

    private boolean giveUp(Record record) {
        Json.Obj document = MetadataWriter.document(current());
        if (!Layouts.hasKeys(document, record.interim())) {
            clear(open(Layouts.withKeys(record.to(), record.interim())));
        }
        staging.discard();
        return false;
    }

    /** Makes the new objects visible, and returns their fingerprint before that. */
    private String appear(ArrayMetadata now, Record record) {
        ZarrArray own = open(record.to());
        ZarrArray other = open(Layouts.withKeys(record.to(), record.interim()));
        clear(other);
        staging.link(links -> staging.objects(
                (key, later) -> links.accept(key, ArrayInternals.of(other).key(cell(own, later)))));
        String linked = Fingerprint.of(other);
        Json.Obj next = Layouts.withKeys(Layouts.withCut(MetadataWriter.document(now), record.to()), record.interim());
        change(now, next, keepsChunks(open(record.from()), own));
        return linked;
    }

    /**
     * Restores the previous document, with the current attributes.
     *
     * @param appeared the fingerprint of the new objects before they became visible
     * @return whether a writer has changed a new object since, which will be deleted
     */
    private boolean takeBack(Record record, String appeared) {
        ArrayMetadata now = current();
        if (!Layouts.hasKeys(MetadataWriter.document(now), record.interim())) {
            return false;
        }
        change(now, record.from(), true);
        return !Fingerprint.of(open(Layouts.withKeys(record.to(), record.interim())))
                .equals(appeared);
    }

    private static long[] cell(ZarrArray own, String key) {
        return ArrayInternals.of(own)
                .cell(key)
                .orElseThrow(() -> new StoreException("a staged object is not a chunk: " + key));
    }

    private void settle(ArrayMetadata now, Json keys) {
        staging.deleteObjects();
        ZarrArray other = open(MetadataWriter.document(now));
        Json.Obj later = Layouts.withKeys(MetadataWriter.document(now), keys);
        ZarrArray own = open(later);
        clear(own);
        SecondKeys second = new SecondKeys(staging, other, own);
        second.link();
        String linked = Fingerprint.of(other);
        boolean empty = second.isEmpty();
        change(now, later, true);
        if (!Fingerprint.of(other).equals(linked)) {
            Optional<String> differing = second.differing();
            if (differing.isPresent() || second.isEmpty() != empty) {
                throw lost("the layout is changed", differing.orElse("the array"));
            }
        }
    }

    private StoreException lost(String outcome, String where) {
        StoreException e = new StoreException(outcome + ", but another program wrote to " + where
                + " at that moment, and this write may be lost: check it, or write it again");
        return (StoreException) e.locate(Optional.of(array.location()), Optional.empty(), Optional.empty());
    }

    /** Whether the innermost chunks stay the same, so that the list of non-empty chunks remains valid. */
    static boolean keepsChunks(ZarrArray from, ZarrArray to) {
        boolean equal = from.isSharded() || from.metadata().chunkGrid().name().equals("regular");
        return equal && Arrays.equals(from.chunkShape(), to.chunkShape());
    }

    private void change(ArrayMetadata expected, Json.Obj document, boolean keepsChunks) {
        ArrayMetadata next = LayoutChange.read(array, document);
        Json.Obj before = MetadataWriter.document(expected);
        ArrayInternals.of(array).changeMetadata(expected, now -> {
            if (!Layouts.isSame(MetadataWriter.document(now), before)) {
                throw new StoreException("another program changed the metadata of the array");
            }
            Map<String, Json> attributes = new LinkedHashMap<>(now.attributes().members());
            if (!keepsChunks) {
                attributes.remove(ChunkManifest.ATTRIBUTE);
            }
            return next.withAttributes(new Json.Obj(attributes));
        });
    }

    private ArrayMetadata current() {
        Optional<ZarrNode> node = Zarr.find(store.store(), array.path(), array.options());
        if (node.isPresent() && node.get() instanceof ZarrArray now) {
            return now.metadata();
        }
        throw new StoreException("the array was deleted during the change of its layout");
    }

    private ZarrArray open(Json.Obj document) {
        return Zarr.openArray(store.store(), array.path(), LayoutChange.read(array, document), array.options());
    }

    /** Whether no object has a chunk key of {@code family}. */
    private static boolean isFree(ZarrArray family) {
        List<String> found = new ArrayList<>();
        ArrayInternals.of(family)
                .objects(key -> ArrayInternals.of(family).cell(key).ifPresent(cell -> {
                    if (found.isEmpty()) {
                        found.add(key);
                    }
                }));
        return found.isEmpty();
    }

    /** Deletes all objects with chunk keys of {@code family}, inside its grid or not, and folders that become empty. */
    private void clear(ZarrArray family) {
        StoreCalls calls = new StoreCalls(array);
        List<Entry> top = new ArrayList<>();
        calls.run(s -> s.list(array.path(), top::add));
        for (Entry entry : top) {
            String key = StoreKeys.join(array.path(), entry.name());
            if (entry.kind() != Entry.Kind.PREFIX) {
                if (ArrayInternals.of(family).cell(key).isPresent()) {
                    calls.run(s -> s.delete(key));
                }
                continue;
            }
            long[] counts = new long[2];
            StoredObjects.below(
                    calls,
                    key,
                    object -> counts[ArrayInternals.of(family).cell(object).isPresent() ? 0 : 1]++);
            if (counts[0] > 0 && counts[1] == 0) {
                calls.run(s -> s.deleteAll(key));
            } else if (counts[0] > 0) {
                List<String> own = new ArrayList<>();
                StoredObjects.below(calls, key, object -> ArrayInternals.of(family)
                        .cell(object)
                        .ifPresent(cell -> own.add(object)));
                own.forEach(object -> calls.run(s -> s.delete(object)));
            }
        }
    }
}
