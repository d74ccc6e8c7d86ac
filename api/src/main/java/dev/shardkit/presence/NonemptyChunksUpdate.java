package dev.shardkit.presence;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.ListedCells;
import dev.shardkit.region.StoredShapeCheck;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.ObjectChangedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Reads, compares and changes the {@code nonempty_chunks} attribute of an array. The new value is read from the shard
 * indexes while the document is locked, so the last writer sees all earlier writes. Immutable, thread-safe.
 */
public final class NonemptyChunksUpdate {
    private final StoredNode node;
    private final ArrayMetadata opened;

    public NonemptyChunksUpdate(StoredNode node, ArrayMetadata opened) {
        this.node = node;
        this.opened = opened;
    }

    /**
     * The kinds of differences between the list and the stored chunks; see {@code NonemptyChunksAttribute.Difference}.
     */
    public enum Difference {
        MISSING,
        GONE,
        MALFORMED,
        OUT_OF_ORDER,
        ABSENT
    }

    /** A difference, with the key or the value that was found. */
    public record Finding(Difference kind, String value) {}

    /** The keys of a list, sorted and distinct, and their form. */
    public record Listed(String[] keys, NonemptyChunkKeys form) {}

    /** Returns the stored metadata; empty if the document is not stored, as before an array is published. */
    private Optional<ArrayMetadata> stored() {
        Optional<NodeMetadata> found = node.call(() -> node.metadata());
        if (found.isPresent() && !(found.get() instanceof ArrayMetadata)) {
            throw node.located(new MetadataException("the node was replaced by one of another kind"));
        }
        return found.map(ArrayMetadata.class::cast);
    }

    private static Optional<Json> attribute(ArrayMetadata metadata) {
        return metadata.attributes().get(NonemptyChunkKeys.ATTRIBUTE);
    }

    /**
     * Returns the list, sorted; empty if there is no attribute. The stored list may be in any order.
     *
     * @throws MetadataException if the attribute is not a list of keys
     */
    public Optional<Listed> read() {
        ArrayMetadata stored = stored().orElse(opened);
        if (attribute(stored).isEmpty()) {
            return Optional.empty();
        }
        NonemptyChunkKeys form = NonemptyChunkKeys.of(stored.attributes(), stored.rank());
        return Optional.of(new Listed(
                keys(attribute(stored).get(), form, finding -> {
                    if (finding.kind() == Difference.MALFORMED) {
                        throw node.located(new MetadataException("/attributes/" + NonemptyChunkKeys.ATTRIBUTE
                                + ": expected a sorted list of chunk keys" + " such as \""
                                + form.key(new long[stored.rank()]) + "\", found " + finding.value()));
                    }
                }),
                form));
    }

    /** Returns the keys, sorted and distinct, and passes each error in the list to {@code errors}. */
    private static String[] keys(Json json, NonemptyChunkKeys form, Consumer<? super Finding> errors) {
        if (!(json instanceof Json.Arr list)) {
            errors.accept(new Finding(Difference.MALFORMED, NonemptyChunkKeys.brief(json)));
            return new String[0];
        }
        List<String> keys = new ArrayList<>(list.items().size());
        for (Json item : list.items()) {
            Optional<String> key =
                    item instanceof Json.Str s && form.cell(s.value()).isPresent()
                            ? Optional.of(s.value())
                            : Optional.empty();
            if (key.isEmpty()) {
                errors.accept(new Finding(Difference.MALFORMED, NonemptyChunkKeys.brief(item)));
            } else {
                if (!keys.isEmpty() && keys.get(keys.size() - 1).compareTo(key.get()) >= 0) {
                    errors.accept(new Finding(Difference.OUT_OF_ORDER, key.get()));
                }
                keys.add(key.get());
            }
        }
        return keys.stream().sorted().distinct().toArray(String[]::new);
    }

    /** Compares the list with the chunks that exist, and returns the number of differences. */
    public long verify(Consumer<? super Finding> findings) {
        AtomicLong count = new AtomicLong();
        Consumer<Finding> report = finding -> {
            count.incrementAndGet();
            findings.accept(finding);
        };
        ArrayMetadata stored = stored().orElse(opened);
        if (attribute(stored).isEmpty()) {
            report.accept(new Finding(Difference.ABSENT, "no attribute " + NonemptyChunkKeys.ATTRIBUTE));
            return 1;
        }
        NonemptyChunkKeys form = NonemptyChunkKeys.of(stored.attributes(), stored.rank());
        String[] keys = keys(attribute(stored).get(), form, report);
        BitSet foundKeys = new BitSet(keys.length);
        forEachCell(new Walk(stored), cell -> {
            String key = form.key(cell);
            int position = Arrays.binarySearch(keys, key);
            if (position >= 0) {
                foundKeys.set(position);
            } else {
                report.accept(new Finding(Difference.MISSING, key));
            }
        });
        for (int i = foundKeys.nextClearBit(0); i < keys.length; i = foundKeys.nextClearBit(i + 1)) {
            report.accept(new Finding(Difference.GONE, keys[i]));
        }
        return count.get();
    }

    /** Replaces the list by the chunks that exist. */
    public Listed rebuild() {
        AtomicReference<Optional<Listed>> rebuilt = new AtomicReference<>(Optional.empty());
        change(stored -> {
            NonemptyChunkKeys form = NonemptyChunkKeys.of(stored.attributes(), stored.rank());
            TreeSet<String> keys = new TreeSet<>();
            collect(new Walk(stored), form, keys);
            rebuilt.set(Optional.of(new Listed(keys.toArray(String[]::new), form)));
            return keys;
        });
        return rebuilt.get()
                .orElseThrow(() -> node.located(new MetadataException("there is no array: zarr.json is not found")));
    }

    /** Updates the list of an array for stored chunks that were just written. */
    public static void written(StoredNode node, ArrayMetadata metadata, long count, LongFunction<long[]> cell) {
        new NonemptyChunksUpdate(node, metadata).written(count, cell);
    }

    /**
     * Updates the list: keeps the listed chunks outside the written stored chunks, and looks up those inside. Without a
     * list, looks up all chunks.
     */
    private void written(long count, LongFunction<long[]> cell) {
        ChunkPlans chunks = new ChunkPlans(opened, node);
        Box domain = Box.of(opened.shape());
        change(stored -> {
            NonemptyChunkKeys form = NonemptyChunkKeys.of(stored.attributes(), stored.rank());
            TreeSet<String> keys = new TreeSet<>();
            ChunkLevel level = ChunkLevel.of(chunks, domain, ChunkLevel.deepest(chunks));
            if (attribute(stored).isEmpty() || !(attribute(stored).get() instanceof Json.Arr)) {
                collect(new Walk(stored), form, keys);
            } else {
                Predicate<long[]> changed = containsCell(count, cell);
                for (String key : keys(attribute(stored).get(), form, errors -> {})) {
                    if (storedCell(form.cell(key).orElseThrow(), level, domain)
                            .filter(changed)
                            .isEmpty()) {
                        keys.add(key);
                    }
                }
            }
            // The written chunks may lie past the stored end of an array that grows.
            collect(new Walk(level, domain, ListedCells.unlisted(count, cell)), form, keys);
            return keys;
        });
    }

    /** Returns the cell of the stored chunk that contains the chunk at {@code cell}; empty outside the array. */
    private static Optional<long[]> storedCell(long[] cell, ChunkLevel level, Box domain) {
        Box box = Box.of(cell, ones(cell.length));
        if (!level.touched(domain).contains(box)) {
            return Optional.empty();
        }
        Box corner = Box.of(level.box(cell).origin(), ones(cell.length));
        return Optional.of(level.chunks().grid().touched(corner).origin());
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Returns a test whether a cell is one of {@code count} cells, which usually form a box. */
    private static Predicate<long[]> containsCell(long count, LongFunction<long[]> cell) {
        long[] begin = cell.apply(0).clone();
        long[] end = begin.clone();
        for (long i = 1; i < count; i++) {
            long[] listed = cell.apply(i);
            for (int d = 0; d < listed.length; d++) {
                begin[d] = Math.min(begin[d], listed[d]);
                end[d] = Math.max(end[d], listed[d]);
            }
        }
        Arrays.setAll(end, d -> end[d] - begin[d] + 1);
        Box bounds = Box.of(begin, end);
        if (bounds.count() == count) {
            return candidate -> bounds.contains(Box.of(candidate, ones(candidate.length)));
        }
        Set<Box> cells = new HashSet<>(); // boxes without elements, because arrays have no equals() and boxes do
        for (long i = 0; i < count; i++) {
            cells.add(Box.of(cell.apply(i), new long[begin.length]));
        }
        return candidate -> cells.contains(Box.of(candidate, new long[candidate.length]));
    }

    /** A walk over the innermost chunks that exist: of the whole array, or of some stored chunks. */
    private final class Walk {
        private final PresenceWalk batches;

        public Walk(ArrayMetadata stored) {
            ChunkPlans chunks = new ChunkPlans(stored, node);
            Box domain = Box.of(stored.shape());
            this.batches = new PresenceWalk(
                    node,
                    new StoredShapeCheck(node, stored),
                    ChunkLevel.of(chunks, domain, ChunkLevel.deepest(chunks)),
                    domain,
                    PresenceWalk.Facts.CELLS);
        }

        public Walk(ChunkLevel level, Box domain, ListedCells cells) {
            this.batches = new PresenceWalk(
                    node,
                    new StoredShapeCheck(node, level.chunks().metadata()),
                    level,
                    domain,
                    PresenceWalk.Facts.CELLS,
                    cells);
        }
    }

    private static void forEachCell(Walk walk, Consumer<long[]> cells) {
        PresenceWalk batches = walk.batches;
        for (Optional<List<PresenceWalk.Batch>> found = batches.next(); found.isPresent(); found = batches.next()) {
            for (PresenceWalk.Batch batch : found.get()) {
                for (int i = 0; i < batch.count(); i++) {
                    cells.accept(batch.cell(i));
                }
            }
        }
    }

    /** Adds the keys of the chunks that a walk finds. Throws if they alone exceed the limit of a document. */
    private void collect(Walk walk, NonemptyChunkKeys form, Set<String> keys) {
        long maxBytes = node.session().options().limits().metadataBytes();
        long[] bytes = {0};
        forEachCell(walk, cell -> {
            String key = form.key(cell);
            bytes[0] += key.length() + 3; // with quotes and a comma
            if (bytes[0] > maxBytes) {
                throw tooLong();
            }
            keys.add(key);
        });
    }

    private MetadataException tooLong() {
        return new MetadataException("the attribute " + NonemptyChunkKeys.ATTRIBUTE
                + " was not written: with it, the metadata document would exceed the limit metadataBytes, "
                + node.session().options().limits().metadataBytes());
    }

    /** Computes the keys of the new list, given the stored metadata of the array. */
    private interface Keys {
        Set<String> of(ArrayMetadata stored);
    }

    /** Reads the document again and throws if it has changed since the list was made. */
    private Plan<NoResult> refuseChanged(ArrayMetadata known) {
        return node.metadata().map(stored -> {
            if (!stored.equals(Optional.of(known))) {
                throw new ObjectChangedException("the metadata changed while the list of chunks was made");
            }
            return NoResult.INSTANCE;
        });
    }

    /** Replaces the list in the stored document, unless it stays the same. */
    private void change(Keys keys) {
        node.session()
                .edits()
                .change(
                        node.documentKey(),
                        ObjectChange.once(policy -> {
                            Optional<ArrayMetadata> stored = stored();
                            if (stored.isEmpty()) {
                                return Plan.done(new Edit.Keep()); // the array is not published yet
                            }
                            List<Json> items =
                                    keys.of(stored.get()).stream().map(Json::of).toList();
                            ArrayMetadata changed = stored.get()
                                    .withAttributes(stored.get()
                                            .attributes()
                                            .with(NonemptyChunkKeys.ATTRIBUTE, new Json.Arr(items)));
                            if (changed.attributes().equals(stored.get().attributes())) {
                                return Plan.done(new Edit.Keep());
                            }
                            byte[] document = MetadataWriter.write(changed);
                            if (document.length
                                    > node.session().options().limits().metadataBytes()) {
                                throw tooLong();
                            }
                            return refuseChanged(stored.get()).map(unchanged -> Edit.replace(Bytes.of(document)));
                        }),
                        node.writing());
    }
}
