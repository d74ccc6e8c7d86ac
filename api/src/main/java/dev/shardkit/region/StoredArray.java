package dev.shardkit.region;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Gives access to the stored objects of an array: keys, sizes, listings, shard indexes and changes of whole chunks. It
 * decodes no elements. The public view of stored chunks and the maintenance module use this class. Immutable,
 * thread-safe.
 */
public final class StoredArray {
    private final StoredNode node;
    private final ChunkPlans chunks;
    private final ArrayMetadata metadata;
    private final StoredShapeCheck shape;

    /** Creates a view of an array, whether or not its document is stored. */
    public StoredArray(StoredNode node, ArrayMetadata metadata) {
        this(node, metadata, new ChunkPlans(metadata, node));
    }

    /** Creates a view of an array with bound codecs. */
    public StoredArray(StoredNode node, ArrayMetadata metadata, ChunkPlans chunks) {
        this.node = node;
        this.chunks = chunks;
        this.metadata = metadata;
        this.shape = new StoredShapeCheck(node, metadata);
    }

    /** Returns the array's node. */
    public StoredNode node() {
        return node;
    }

    /** Returns the metadata. */
    public ArrayMetadata metadata() {
        return metadata;
    }

    /** Returns the check whether the array is still there. */
    public StoredShapeCheck shape() {
        return shape;
    }

    /** Returns the chunks. */
    public ChunkPlans chunks() {
        return chunks;
    }

    /** Returns the number of stored chunks (shards, if there are any) in each dimension. */
    public long[] cells() {
        return chunks.grid().gridShape();
    }

    /** Returns the box of the chunk at {@code cell}, which may reach past the edge of the array. */
    public Box box(long[] cell) {
        return chunks.grid().chunk(cell);
    }

    /** Returns the key of the object for the chunk at {@code cell}. */
    public String key(long[] cell) {
        return chunks.storedKey(cell);
    }

    /** Returns the bound codecs of the chunk at {@code cell}. */
    public ChunkCodec codec(long[] cell) {
        return chunks.codec(cell);
    }

    /** Reads the index of the shard at {@code cell}; empty if the shard is not stored, or the array has no shards. */
    public Optional<ShardAccess.Layout> layout(long[] cell) {
        Optional<ShardAccess> shard = chunks.codec(cell).shardAccess();
        if (shard.isEmpty()) {
            return Optional.empty();
        }
        return node.session()
                .engine()
                .call(() -> chunks.source(cell).then(s -> shard.get().layout(s)), shape.reading());
    }

    /**
     * Returns the size in bytes of the object for the chunk at {@code cell}; empty if it is not stored. Reads the last
     * byte of the object.
     */
    public OptionalLong storedSize(long[] cell) {
        return node.session()
                .engine()
                .call(
                        () -> chunks.source(cell)
                                .then(s -> s.read(
                                        new ByteRange.Suffix(1),
                                        (result, scratch) -> result instanceof ReadResult.Found f
                                                ? OptionalLong.of(f.sourceSize())
                                                : OptionalLong.empty())),
                        shape.reading());
    }

    /**
     * Runs a plan for the chunk at each of {@code cells} concurrently, given the stored bytes of the chunk. Returns the
     * values in the same order. With storage transformers, several chunks may be in one object.
     */
    public <T> List<T> inspect(List<long[]> cells, BiFunction<long[], Source, Plan<T>> plan) {
        Engine.refuseInterrupted();
        return node.session()
                .engine()
                .call(
                        () -> Plan.all(cells.size(), i -> {
                            long[] cell = cells.get((int) i);
                            return chunks.source(cell).then(source -> plan.apply(cell, source));
                        }),
                        shape.reading());
    }

    /**
     * Runs plans as {@link #inspect} does. If a plan needs all of a shard of moderate size, a remote store is asked for
     * the whole shard at once, in place of one request for the index and one for the rest.
     *
     * @param needsAll whether the plan needs all of the shard at a cell that is inside the array
     */
    public <T> List<T> inspectAll(
            List<long[]> cells, Predicate<long[]> needsAll, BiFunction<long[], Source, Plan<T>> plan) {
        WholeShardReads wholeShards = WholeShardReads.of(node.session());
        return inspect(cells, (cell, source) -> wholeShards
                .open(source, codec(cell), needsAll.test(cell))
                .then(s -> plan.apply(cell, s)));
    }

    /**
     * Changes the stored chunk at {@code cell}, under its lock, after completing or rolling back an interrupted change.
     *
     * @param options derives the options of the change from those of the array
     * @param change plans the change, given the stored bytes and a policy that the store supports
     */
    public void change(
            long[] cell, UnaryOperator<Settings> options, BiFunction<Source, ShardWritePolicy, Plan<Edit>> change) {
        Engine.refuseInterrupted();
        Session session = node.session().with(options.apply(node.session().options()));
        session.edits()
                .change(
                        key(cell),
                        new ObjectChange() {
                            @Override
                            public Plan<Edit> plan(ShardWritePolicy policy) {
                                return chunks.change(cell, source -> change.apply(source, policy));
                            }

                            @Override
                            public Plan<OptionalLong> lastValidEnd() {
                                return chunks.lastValidEnd(cell);
                            }
                        },
                        session.writing(node.path()));
    }

    /**
     * Returns the cell of the chunk that is stored under {@code key}, inside or outside the grid. Returns empty if the
     * key belongs to no chunk, if the array has storage transformers, or if the keys do not contain the indices as
     * decimal numbers.
     */
    public Optional<long[]> cell(String key) {
        return chunks.cell(key);
    }

    /**
     * Lists all objects below the array's node, except its documents and internal files of the store, in no particular
     * order. Objects that cannot be read are listed too, so that callers get the error and do not take them for absent.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support listing
     */
    public void objects(Consumer<String> keys) {
        entries(
                (key, entry) -> {
                    if (entry.kind() != Entry.Kind.PREFIX) {
                        keys.accept(key);
                    }
                },
                (prefix, e) -> {
                    throw e;
                });
    }

    /**
     * Lists all entries below the array's node, except its documents and internal files of the store, in no particular
     * order.
     *
     * @param entries receives each key with its entry
     * @param failed receives each prefix below the node that a local store cannot list, and why; the walk continues. A
     *     remote store lists all at once, so there a failure ends the walk
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support listing
     */
    public void entries(BiConsumer<String, Entry> entries, BiConsumer<String, StoreException> failed) {
        Set<String> documents = new HashSet<>(Set.of(node.documentKey()));
        node.session().registry().nodeFormats().forEach(format -> format.documentNames()
                .forEach(name -> documents.add(node.key(name))));
        node.store(store -> {
            store.store().need(Listings.class, "finding the stored chunks of an array");
            if (!node.session().isLocal()) {
                Prefixes prefixes = new Prefixes(node.path(), entries);
                store.listAll(node.path(), entry -> {
                    String key = StoreKeys.join(node.path(), entry.name());
                    prefixes.reportPrefixes(key);
                    if (!documents.contains(key)) {
                        entries.accept(key, entry);
                    }
                });
                return NoResult.INSTANCE;
            }
            Deque<String> unvisited = new ArrayDeque<>(List.of(node.path()));
            while (!unvisited.isEmpty()) {
                String prefix = unvisited.pop();
                try {
                    store.list(prefix, entry -> {
                        String key = StoreKeys.join(prefix, entry.name());
                        if (entry.kind() == Entry.Kind.PREFIX) {
                            unvisited.push(key);
                        }
                        if (!documents.contains(key)) {
                            entries.accept(key, entry);
                        }
                    });
                } catch (StoreException e) {
                    if (prefix.equals(node.path())) {
                        throw e;
                    }
                    failed.accept(prefix, e);
                }
            }
            return NoResult.INSTANCE;
        });
    }

    /**
     * Reports the prefixes of listed objects, which are the folders above them. A listing of all objects takes few
     * requests but contains no prefixes. For each object, reports the prefixes that the object before does not have.
     * Clouds list in the order of keys, and other stores prefix by prefix, so each prefix is reported once. Remembers
     * only one prefix.
     */
    private static final class Prefixes {
        private final String root;
        private final BiConsumer<String, Entry> entries;
        /** The prefix of the object before. */
        private String last = "";

        Prefixes(String root, BiConsumer<String, Entry> entries) {
            this.root = root;
            this.entries = entries;
        }

        void reportPrefixes(String key) {
            String prefix = StoreKeys.parent(key);
            if (prefix.equals(last)) {
                return;
            }
            String previous = last + "/"; // already reported, with all prefixes above it
            last = prefix;
            while (prefix.length() > root.length() && !previous.startsWith(prefix + "/")) {
                entries.accept(prefix, new Entry(StoreKeys.name(prefix), Entry.Kind.PREFIX));
                prefix = StoreKeys.parent(prefix);
            }
        }
    }

    /** Lists files that killed writers left below the array's node, if the store supports that. */
    public void leftovers(Consumer<Leftover> leftovers) {
        node.store(store -> {
            Optional<LeftoverCleanup> cleanup = store.store().find(LeftoverCleanup.class);
            if (cleanup.isPresent()) {
                cleanup.get().leftovers(node.path(), leftovers);
            }
            return NoResult.INSTANCE;
        });
    }

    /** Removes a temporary leftover. Returns false if it did not exist. */
    public boolean remove(Leftover leftover) {
        return node.store(store ->
                store.store().need(LeftoverCleanup.class, "removing leftovers").remove(leftover));
    }

    /**
     * Returns the store, for moving whole objects. No lock of the array protects such changes.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if the store is read-only
     */
    public Store store() {
        return store("changing how an array is stored");
    }

    /**
     * Returns the store, as {@link #store()} does.
     *
     * @param purpose the operation, for the error of a read-only store
     */
    public Store store(String purpose) {
        return node.session().writable(purpose).store();
    }

    /**
     * Changes the stored document of the array under its lock, and returns the new metadata. For changes of the layout
     * whose objects are already in place.
     */
    public ArrayMetadata changeMetadata(ArrayMetadata known, UnaryOperator<ArrayMetadata> change) {
        return node.changeMetadata(known, change);
    }

    /** Returns the cells whose chunks {@code region} touches. */
    public Box touched(Box region) {
        return chunks.grid().touched(region.intersect(Box.of(metadata.shape())));
    }
}
