package dev.shardkit.maintenance;

import dev.shardkit.ChunkManifest;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Staging.Record;
import dev.shardkit.maintenance.Staging.State;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import dev.shardkit.store.StoreAccess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Puts an array that is staged whole in the place of the array. At every moment the document names objects that are all
 * there, whoever reads it; each step can be done again, so a run that was killed is ended by doing it again:
 *
 * <ol>
 *   <li>the new objects appear under keys of another key encoding, which are nobody's yet;
 *   <li>the document is replaced, at once, by one with the new layout and that key encoding;
 *   <li>the old objects go, and the new ones get their keys too;
 *   <li>the document is replaced by one with the array's own key encoding;
 *   <li>the other keys go, and what was staged.
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

    /** Chooses keys that are free for the time in between, and records that all is staged. */
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
                "objects that are no chunks of the array lie where its chunks would for a moment");
    }

    /**
     * Ends the change that is recorded as complete.
     *
     * @return whether it was made; not if the array was changed since, and then nothing of it is left
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
                (key, later) -> links.accept(key, Inside.of(other).key(cell(own, later)))));
        Json.Obj next = Layouts.withKeys(Layouts.withCut(MetadataWriter.document(now), record.to()), record.interim());
        change(now, next, keepsChunks(open(record.from()), own));
    }

    private static long[] cell(ZarrArray own, String key) {
        return Inside.of(own)
                .cell(key)
                .orElseThrow(() -> new StoreException("a staged object that is no chunk: " + key));
    }

    private void settle(ArrayMetadata now, Json keys) {
        staging.deleteObjects();
        ZarrArray other = open(MetadataWriter.document(now));
        Json.Obj later = Layouts.withKeys(MetadataWriter.document(now), keys);
        ZarrArray own = open(later);
        clear(own);
        staging.link(links -> Inside.of(other).objects(key -> Inside.of(other)
                .cell(key)
                .ifPresent(cell -> links.accept(key, Inside.of(own).key(cell)))));
        change(now, later, true);
    }

    /** Whether the innermost chunks stay what they are, and with them a list of those that are not empty. */
    static boolean keepsChunks(ZarrArray from, ZarrArray to) {
        boolean equal = from.isSharded() || from.metadata().chunkGrid().name().equals("regular");
        return equal && Arrays.equals(from.chunkShape(), to.chunkShape());
    }

    private void change(ArrayMetadata expected, Json.Obj document, boolean keepsChunks) {
        ArrayMetadata next = LayoutChange.read(array, document);
        Json.Obj before = MetadataWriter.document(expected);
        Inside.of(array).changeMetadata(expected, now -> {
            if (!Layouts.isSame(MetadataWriter.document(now), before)) {
                throw new StoreException("the metadata of the array were changed by somebody else meanwhile");
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
        throw new StoreException("the array went while its layout was changed");
    }

    private ZarrArray open(Json.Obj document) {
        return Zarr.openArray(store.store(), array.path(), LayoutChange.read(array, document), array.options());
    }

    /** Whether no object has a key of a chunk of {@code family}. */
    private static boolean isFree(ZarrArray family) {
        List<String> found = new ArrayList<>();
        Inside.of(family).objects(key -> Inside.of(family).cell(key).ifPresent(cell -> {
            if (found.isEmpty()) {
                found.add(key);
            }
        }));
        return found.isEmpty();
    }

    /** Removes all objects with keys of chunks of {@code family}, in its grid or not, with folders of nothing else. */
    private void clear(ZarrArray family) {
        StoreCalls calls = new StoreCalls(array);
        List<Entry> top = new ArrayList<>();
        calls.run(s -> s.list(array.path(), top::add));
        for (Entry entry : top) {
            String key = Staging.under(array.path(), entry.name());
            if (entry.kind() != Entry.Kind.PREFIX) {
                if (Inside.of(family).cell(key).isPresent()) {
                    calls.run(s -> s.delete(key));
                }
                continue;
            }
            long[] counts = new long[2];
            below(calls, key, object -> counts[Inside.of(family).cell(object).isPresent() ? 0 : 1]++);
            if (counts[0] > 0 && counts[1] == 0) {
                calls.run(s -> s.deleteAll(key));
            } else if (counts[0] > 0) {
                List<String> own = new ArrayList<>();
                below(calls, key, object -> Inside.of(family).cell(object).ifPresent(cell -> own.add(object)));
                own.forEach(object -> calls.run(s -> s.delete(object)));
            }
        }
    }

    private static void below(StoreCalls calls, String root, Consumer<String> objects) {
        Deque<String> prefixes = new ArrayDeque<>(List.of(root));
        while (!prefixes.isEmpty()) {
            String prefix = prefixes.pop();
            calls.run(store -> store.list(prefix, entry -> {
                String key = prefix + "/" + entry.name();
                if (entry.kind() == Entry.Kind.PREFIX) {
                    prefixes.push(key);
                } else {
                    objects.accept(key);
                }
            }));
        }
    }
}
