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
 *   <li>atomically replace the document by one with the new layout and that key encoding;
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
                try {
                    appear(now, record);
                } catch (UnsupportedException e) {
                    giveUp(record);
                    throw e;
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

    private void appear(ArrayMetadata now, Record record) {
        ZarrArray own = open(record.to());
        ZarrArray other = open(Layouts.withKeys(record.to(), record.interim()));
        clear(other);
        staging.link(links -> staging.objects(
                (key, later) -> links.accept(key, ArrayInternals.of(other).key(cell(own, later)))));
        Json.Obj next = Layouts.withKeys(Layouts.withCut(MetadataWriter.document(now), record.to()), record.interim());
        change(now, next, keepsChunks(open(record.from()), own));
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
        staging.link(links -> ArrayInternals.of(other).objects(key -> ArrayInternals.of(other)
                .cell(key)
                .ifPresent(cell -> links.accept(key, ArrayInternals.of(own).key(cell)))));
        change(now, later, true);
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
