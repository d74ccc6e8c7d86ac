package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.ForwardingStore;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.TestObjects;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves that copy, because they cannot rename, and are killed: repeating the call completes them. */
@Timeout(300)
class InterruptedMoveTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
    /** More changes than a move makes. */
    private static final int MANY_CHANGES = 200;

    private static final int[] VALUES = IntStream.range(1, 65).toArray();

    /** Files that cannot be renamed into another store. Fails at the n-th change of all such stores, and later. */
    private record Dying(FileStore files, AtomicInteger left)
            implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions, Locks {
        private void change() throws IOException {
            if (left.decrementAndGet() < 1) {
                throw new IOException("killed");
            }
        }

        @Override
        public String describe() {
            return files.describe();
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            return files.open(key);
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) throws IOException {
            files.list(prefix, entries);
        }

        @Override
        public Lock lock(String array, String key, Duration patience) throws IOException {
            return files.lock(array, key, patience);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            change();
            return files.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            change();
            return files.deleteNow(key, condition);
        }

        @Override
        public void reserved(String prefix, Consumer<String> names) throws IOException {
            files.reserved(prefix, names);
        }

        /** Fails before it begins, or after the document was set aside and a chunk deleted, as a killed deletion. */
        @Override
        public void deleteAll(String prefix) throws IOException {
            change();
            Path root = files.root();
            Path document = root.resolve("zarr.json");
            if (prefix.isEmpty() && Files.exists(document) && left.get() == 1) {
                Files.move(document, root.resolve("__shardkit-deleted-00000000-0000-0000-0000-000000000000"));
                files.deleteNow("c/0", Condition.ANY);
                change();
            }
            files.deleteAll(prefix);
            change();
        }
    }

    /**
     * An object store. It has no locks. A deletion removes one object after the other, in an order that the store
     * chooses. As in S3, the version of an object is a hash of its content. Fails after some deletions.
     */
    private static class Cloud extends ForwardingStore {
        private final Comparator<String> order;
        private int left;

        Cloud(MemoryStore objects, Comparator<String> order, int deletions) {
            super(objects);
            this.order = order;
            this.left = deletions;
        }

        /** An object that is versioned by its content. */
        private record Hashed(ObjectSnapshot object, String version) implements ObjectSnapshot {
            @Override
            public long size() {
                return object.size();
            }

            @Override
            public void read(long offset, ByteBuffer target) throws IOException {
                object.read(offset, target);
            }

            @Override
            public void close() throws IOException {
                object.close();
            }
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            Optional<ObjectSnapshot> found = super.open(key);
            if (found.isEmpty()) {
                return found;
            }
            ByteBuffer content = ByteBuffer.allocate((int) found.get().size());
            found.get().read(0, content);
            return Optional.of(new Hashed(found.get(), Arrays.hashCode(content.array()) + "/" + content.capacity()));
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            if (left-- == 0) {
                left = 0;
                throw new IOException("killed");
            }
            return super.deleteNow(key, condition);
        }

        @Override
        public void deleteAll(String prefix) throws IOException {
            List<String> keys = new ArrayList<>();
            BlockingStore.to(this).listAll(prefix, entry -> keys.add(StoreKeys.join(prefix, entry.name())));
            keys.sort(order);
            for (String key : keys) {
                deleteNow(key, Condition.ANY);
            }
        }

        boolean isEmpty() throws IOException {
            List<Entry> entries = new ArrayList<>();
            list("", entries::add);
            return entries.isEmpty();
        }
    }

    private enum Kind {
        NESTED_KEYS,
        FLAT_KEYS,
        MANY_CHUNKS,
        GROUP,
        CONSOLIDATED,
        ZARR_V2
    }

    private static void fill(Store store, Kind kind) {
        ArraySpec spec = ArraySpec.of("int32", 64).withChunkShape(16);
        switch (kind) {
            case NESTED_KEYS -> array(store, "", spec);
            case FLAT_KEYS ->
                array(
                        store,
                        "",
                        spec.withChunkKeyEncoding(Json.object()
                                .with("name", Json.of("default"))
                                .with("configuration", Json.object().with("separator", Json.of(".")))));
            case MANY_CHUNKS -> array(store, "", ArraySpec.of("int32", 64).withChunkShape(1));
            case GROUP, CONSOLIDATED -> {
                ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
                array(store, "a", spec);
                array(store, "zz", spec);
                if (kind == Kind.CONSOLIDATED) {
                    root.consolidate();
                }
            }
            case ZARR_V2 -> {
                TestObjects.put(
                        store,
                        ".zarray",
                        "{\"zarr_format\":2,\"shape\":[64],\"chunks\":[16],\"dtype\":\"|u1\",\"compressor\":null,"
                                + "\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
                for (int i = 0; i < 4; i++) {
                    TestObjects.put(store, String.valueOf(i), "0123456789abcdef");
                }
            }
        }
    }

    private static void array(Store store, String path, ArraySpec spec) {
        try (ZarrArray array = Zarr.createArray(store, path, spec, IfExists.REFUSE, OPTIONS)) {
            array.write(array.domain(), VALUES, 0);
        }
    }

    /** The source loses objects before its documents, so what is left of it looks like an array with holes. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void killedWhileACloudDeletesTheSource_itIsCompletedByTheSameCall(Kind kind, @TempDir Path dir) throws Exception {
        for (boolean isReverse : new boolean[] {false, true}) {
            Comparator<String> order = isReverse ? Comparator.reverseOrder() : Comparator.naturalOrder();
            boolean hasEnded = false;
            int n = 0;
            for (; !hasEnded; n += kind == Kind.MANY_CHUNKS ? 9 : 1) {
                assertTrue(n < MANY_CHANGES, "the move never ends");
                MemoryStore objects = MemoryStore.conditional("from" + n);
                fill(objects, kind);
                FileStore expected = FileStore.at(dir.resolve("expected" + isReverse + n));
                Copy.of(Zarr.find(objects, "", OPTIONS).orElseThrow()).to(expected, OPTIONS);
                FileStore target = FileStore.at(dir.resolve("to" + isReverse + n));
                Cloud dying = new Cloud(objects, order, n);
                String when = kind + " killed after deletion " + n + ", reverse order " + isReverse;
                try {
                    Move.of(RemoteAdapter.of(dying), target).run(OPTIONS);
                    hasEnded = true;
                } catch (StoreException e) {
                    assertTrue(e.getMessage().contains("is complete: keep it"), e.getMessage());
                    Cloud cloud = new Cloud(objects, order, Integer.MAX_VALUE);
                    Move.of(RemoteAdapter.of(cloud), target).run(OPTIONS);
                }
                assertTrue(dying.isEmpty(), when);
                assertTrue(
                        Comparison.of(
                                        Zarr.find(expected, "", OPTIONS).orElseThrow(),
                                        Zarr.find(target, "", OPTIONS).orElseThrow())
                                .run(difference -> {})
                                .isEqual(),
                        when);
                assertFalse(Files.exists(target.root().resolve("__unfinished")), when);
            }
            assertTrue(n > 3, "killed at " + n + " deletions");
        }
    }

    /** Its document is equal to that of the source, but its elements are not, or it has none. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void newNodeAtTheSourceInACloud_isNotDeleted(boolean hasElements, @TempDir Path dir) {
        MemoryStore objects = MemoryStore.conditional("from");
        fill(objects, Kind.NESTED_KEYS);
        FileStore target = FileStore.at(dir);
        Store dying = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), 2));
        assertThrows(StoreException.class, () -> Move.of(dying, target).run(OPTIONS));
        int[] others = IntStream.range(100, 164).toArray();
        ArraySpec spec = ArraySpec.of("int32", 64).withChunkShape(16);
        if (!hasElements) {
            spec = spec.withAttributes(Json.object().with("made", Json.of("by another program")));
        }
        ZarrArray other = Zarr.createArray(objects, "", spec, IfExists.OVERWRITE, OPTIONS);
        if (hasElements) {
            other.write(other.domain(), others, 0);
        }
        Store alive = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), Integer.MAX_VALUE));
        StoreException e =
                assertThrows(StoreException.class, () -> Move.of(alive, target).run(OPTIONS));
        assertTrue(
                e.getMessage().contains("The copy in " + target.describe() + " is complete: keep it"), e.getMessage());
        assertArrayEquals(
                hasElements ? others : new int[64],
                Zarr.openArray(objects, "", OPTIONS).read().ints());
        assertArrayEquals(VALUES, Zarr.openArray(target, "", OPTIONS).read().ints());

        objects.deleteAll("");
        Move.of(alive, target).run(OPTIONS);
        assertFalse(Files.exists(target.root().resolve("__unfinished")));
    }

    /**
     * Remote groups find their children in consolidated metadata, which other programs leave stale: an array below the
     * root, and a group without chunks below a consolidated group, are in none.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 100})
    void nodesThatConsolidatedMetadataDoNotName_areMoved(int deletions, @TempDir Path dir) throws Exception {
        MemoryStore objects = MemoryStore.conditional("from");
        ZarrGroup root = Zarr.createGroup(objects, "", Json.object(), IfExists.REFUSE, OPTIONS);
        array(objects, "inner/a", ArraySpec.of("int32", 64).withChunkShape(16));
        Zarr.createGroup(objects, "inner", Json.object(), IfExists.REFUSE, OPTIONS)
                .consolidate();
        root.consolidate();
        TestObjects.put(
                objects,
                "stale/zarr.json",
                "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[1],\"data_type\":\"uint8\",\"chunk_grid\":{\"name\":"
                        + "\"regular\",\"configuration\":{\"chunk_shape\":[1]}},\"chunk_key_encoding\":\"default\","
                        + "\"fill_value\":0,\"codecs\":[\"bytes\"],\"attributes\":{}}");
        TestObjects.put(objects, "stale/c/0", "A");
        TestObjects.put(
                objects,
                "inner/stale/zarr.json",
                "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"made\":\"elsewhere\"}}");
        FileStore target = FileStore.at(dir);
        try {
            Move.of(RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), deletions)), target)
                    .run(OPTIONS);
        } catch (StoreException e) {
            assertTrue(e.getMessage().contains("is complete: keep it"), e.getMessage());
            Move.of(RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), MANY_CHANGES)), target)
                    .run(OPTIONS);
        }
        assertEquals('A', Zarr.openArray(target, "stale", OPTIONS).read().longAt(0));
        assertEquals(
                Json.object().with("made", Json.of("elsewhere")),
                Zarr.openGroup(target, "inner/stale", OPTIONS).attributes());
        assertTrue(Zarr.openGroup(target, "", OPTIONS).metadata().consolidated().isPresent());
    }

    /** A cloud that copies objects of every store by itself. */
    private static final class CopyingCloud extends ForwardingStore implements Copies {
        CopyingCloud(MemoryStore objects) {
            super(objects);
        }

        @Override
        public boolean copy(String sourceKey, String targetKey, Durability durability) throws IOException {
            return copyFrom(this, sourceKey, targetKey, durability);
        }

        @Override
        public boolean copiesFrom(Store source) {
            return true;
        }

        @Override
        public boolean copyFrom(Store source, String sourceKey, String targetKey, Durability durability)
                throws IOException {
            Optional<ObjectSnapshot> found = BlockingStore.to(source).open(sourceKey);
            if (found.isPresent()) {
                try (ObjectSnapshot object = found.get()) {
                    putNow(targetKey, Content.of(object), Condition.ANY, durability);
                }
            }
            return found.isPresent();
        }
    }

    /** A chunk that another program has replaced by one of the same size is the only one of its elements. */
    @Test
    void chunkOfEqualSizeWrittenSinceTheKillInOneCloud_isNotDeleted() {
        MemoryStore objects = MemoryStore.conditional("from");
        array(objects, "", ArraySpec.of("int32", 64).withChunkShape(16).withCodecs(Codecs.bytesLittleEndian()));
        Store target = RemoteAdapter.of(new CopyingCloud(MemoryStore.conditional("to")))
                .keeping(Set.of(Copies.class));
        Store dying = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), 2));
        assertThrows(StoreException.class, () -> Move.of(dying, target).run(OPTIONS));
        byte[] before = TestObjects.get(objects, "c/3");
        TestObjects.put(objects, "c/3", new byte[before.length]);
        Store alive = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), MANY_CHANGES));
        StoreException e =
                assertThrows(StoreException.class, () -> Move.of(alive, target).run(OPTIONS));
        assertTrue(e.getMessage().contains("elements in"), e.getMessage());
        assertArrayEquals(new byte[before.length], TestObjects.get(objects, "c/3"));

        TestObjects.put(objects, "c/3", before);
        Move.of(alive, target).run(OPTIONS);
        assertArrayEquals(VALUES, Zarr.openArray(target, "", OPTIONS).read().ints());
    }

    /** A move is completed only if the copy has every node that is still at the source. */
    @Test
    void nodeMadeBelowAConsolidatedGroupSinceTheKill_isNotDeleted(@TempDir Path dir) {
        MemoryStore objects = MemoryStore.conditional("from");
        fill(objects, Kind.CONSOLIDATED);
        FileStore target = FileStore.at(dir);
        Store dying = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), 2));
        assertThrows(StoreException.class, () -> Move.of(dying, target).run(OPTIONS));
        TestObjects.put(objects, "made/zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{}}");
        Store alive = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), MANY_CHANGES));
        StoreException e =
                assertThrows(StoreException.class, () -> Move.of(alive, target).run(OPTIONS));
        assertTrue(e.getMessage().contains("expected a node made, found none"), e.getMessage());
        assertTrue(Zarr.find(objects, "made", OPTIONS).isPresent());
    }

    /** A file of no node in what is left of the source, which the first run would have refused. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void fileOfNoNodeAddedSinceTheKillInACloud_isNotDeleted(Kind kind, @TempDir Path dir) throws Exception {
        MemoryStore objects = MemoryStore.conditional("from");
        fill(objects, kind);
        FileStore target = FileStore.at(dir);
        Comparator<String> chunksFirst = kind == Kind.ZARR_V2 ? Comparator.reverseOrder() : Comparator.naturalOrder();
        Store dying = RemoteAdapter.of(new Cloud(objects, chunksFirst, 2));
        assertThrows(StoreException.class, () -> Move.of(dying, target).run(OPTIONS));
        Cloud cloud = new Cloud(objects, chunksFirst, MANY_CHANGES);
        Store alive = RemoteAdapter.of(cloud);
        for (String note : List.of("notes.txt", "folder/notes.txt")) {
            TestObjects.put(objects, note, "text");
            StoreException e = assertThrows(
                    StoreException.class, () -> Move.of(alive, target).run(OPTIONS));
            assertTrue(e.getMessage().contains("belong to no array or group: " + note), e.getMessage());
            assertTrue(e.getMessage().contains("is complete: keep it"), e.getMessage());
            objects.deleteNow(note, Condition.ANY);
        }
        Move.of(alive, target).run(OPTIONS);
        assertTrue(cloud.isEmpty());
    }

    /** The move was killed before the deletion began, so the folder is whole, and is in use again. */
    @ParameterizedTest
    @ValueSource(strings = {"notes.txt", "folder/notes.txt", "c/notes", "c/4"})
    void fileOfNoNodeAddedSinceTheKill_isNotDeleted(String name, @TempDir Path dir) throws Exception {
        int found = 0;
        boolean hasEnded = false;
        for (int n = 1; !hasEnded; n++) {
            assertTrue(n < MANY_CHANGES, "the move never ends");
            FileStore source = source(dir.resolve("from" + n));
            FileStore target = FileStore.at(dir.resolve("to" + n));
            hasEnded = moveUntilChange(n, source, target);
            if (Destination.of(target).resumeRemoval(source.describe())
                    && Files.exists(source.root().resolve("zarr.json"))) {
                Path file = source.root().resolve(name);
                Files.createDirectories(file.getParent());
                Files.writeString(file, "text");
                StoreException e = assertThrows(StoreException.class, () -> complete(source, target));
                assertTrue(e.getMessage().contains(name), e.getMessage());
                assertEquals("text", Files.readString(file));
                Files.delete(file);
                complete(source, target);
                assertFalse(Files.exists(target.root().resolve("__unfinished")));
                assertArrayEquals(
                        VALUES, Zarr.openArray(target, "", OPTIONS).read().ints());
                found++;
            }
        }
        assertTrue(found > 0);
    }

    /** While the source is deleted, the copy may be the only complete one. */
    @Test
    void copyOfAnInterruptedMove_isNeitherRemovedNorOverwritten(@TempDir Path dir) {
        MemoryStore objects = MemoryStore.conditional("from");
        fill(objects, Kind.NESTED_KEYS);
        FileStore target = FileStore.at(dir);
        Store dying = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), 2));
        assertThrows(StoreException.class, () -> Move.of(dying, target).run(OPTIONS));
        StoreException removal =
                assertThrows(StoreException.class, () -> Removal.of(target).run(OPTIONS));
        assertTrue(removal.getMessage().contains("shardkit mv " + dying.describe()), removal.getMessage());
        Optional<String> named = Repair.unfinished(Zarr.openArray(target, "", OPTIONS));
        assertTrue(named.orElse("").contains("shardkit mv " + dying.describe()), named::toString);
        assertThrows(StoreException.class, () -> Copy.of(
                        Zarr.find(objects, "", OPTIONS).orElseThrow())
                .overwriting()
                .to(target, OPTIONS));
        assertArrayEquals(VALUES, Zarr.openArray(target, "", OPTIONS).read().ints());
    }

    /** Work that other commands do at the copy of an interrupted move. */
    private enum OtherWork {
        RELAYOUT,
        RELAYOUT_OF_A_CONSOLIDATED_GROUP,
        REPLACEMENT,
        MISSING_ONLY,
        PYRAMID,
        MOVE;

        void run(Store moved, Store from, Store elsewhere) {
            switch (this) {
                case RELAYOUT, RELAYOUT_OF_A_CONSOLIDATED_GROUP ->
                    Relayout.of(Zarr.open(moved.describe(), OPTIONS), ShardLayout.chunksPerShard(2))
                            .run(Mode.APPLY, change -> {});
                case REPLACEMENT -> Replacement.begin(moved, List.of(""), new long[] {64}, OPTIONS);
                case MISSING_ONLY ->
                    Copy.of(Zarr.find(from, "", OPTIONS).orElseThrow()).missingOnlyTo(moved, OPTIONS);
                case PYRAMID -> Destination.of(moved).ofPyramidBeside("a").begin("s", Durability.ATOMIC);
                case MOVE -> Move.of(moved, elsewhere).run(OPTIONS);
            }
        }
    }

    /** The record tells that the copy may be the only complete node, so only the move may replace or delete it. */
    @ParameterizedTest
    @EnumSource(OtherWork.class)
    void recordOfAnInterruptedMove_isKeptByOtherWork(OtherWork work, @TempDir Path dir) throws Exception {
        boolean isGroup = work == OtherWork.RELAYOUT_OF_A_CONSOLIDATED_GROUP || work == OtherWork.PYRAMID;
        MemoryStore objects = MemoryStore.conditional("from");
        fill(objects, isGroup ? Kind.CONSOLIDATED : Kind.NESTED_KEYS);
        FileStore target = FileStore.at(dir);
        Store dying = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), 2));
        assertThrows(StoreException.class, () -> Move.of(dying, target).run(OPTIONS));
        String record = Files.readString(dir.resolve("__unfinished"));
        StoreException e = assertThrows(
                StoreException.class, () -> work.run(target, objects, MemoryStore.conditional("elsewhere")));
        assertTrue(e.getMessage().contains("shardkit mv " + dying.describe()), e.getMessage());
        assertEquals(record, Files.readString(dir.resolve("__unfinished")));
        Move.of(RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), MANY_CHANGES)), target)
                .run(OPTIONS);
        assertArrayEquals(
                VALUES,
                Zarr.openArray(target, isGroup ? "a" : "", OPTIONS).read().ints());
    }

    /** The copy of a remote source is never resumed, so a move that ended while it compared says what to do. */
    @Test
    void moveOfARemoteSourceThatEndedWhileItCompared_saysToRemoveTheCopy(@TempDir Path dir) {
        FileStore target = FileStore.at(dir);
        MemoryStore objects = MemoryStore.conditional("from");
        fill(objects, Kind.GROUP);
        Store failing = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), MANY_CHANGES) {
            @Override
            public Optional<ObjectSnapshot> open(String key) throws IOException {
                if (key.startsWith("a/c/") && Files.exists(dir.resolve("zarr.json"))) {
                    throw new IOException("killed");
                }
                return super.open(key);
            }
        });
        assertThrows(StoreException.class, () -> Move.of(failing, target).run(OPTIONS));
        Store alive = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), MANY_CHANGES));
        StoreException e =
                assertThrows(StoreException.class, () -> Move.of(alive, target).run(OPTIONS));
        assertTrue(e.getMessage().contains("remove the copy, then repeat the move"), e.getMessage());
        Removal.of(target).run(OPTIONS);
        Move.of(alive, target).run(OPTIONS);
        assertArrayEquals(VALUES, Zarr.openArray(target, "a", OPTIONS).read().ints());
    }

    /** A removal of the copy after it was compared would leave nothing, because the move then deletes the source. */
    @Test
    void removalOfTheTarget_failsOnceTheMoveCompares(@TempDir Path dir) {
        FileStore target = FileStore.at(dir);
        MemoryStore objects = MemoryStore.conditional("from");
        fill(objects, Kind.NESTED_KEYS);
        List<Throwable> failures = new ArrayList<>();
        Store source = RemoteAdapter.of(new Cloud(objects, Comparator.naturalOrder(), Integer.MAX_VALUE) {
            @Override
            public Optional<ObjectSnapshot> open(String key) throws IOException {
                if (key.startsWith("c/") && failures.isEmpty() && Files.exists(dir.resolve("zarr.json"))) {
                    CompletableFuture<Void> removal = CompletableFuture.runAsync(
                            () -> Removal.of(FileStore.at(dir)).run(OPTIONS.withLockPatience(Duration.ofMillis(10))));
                    failures.add(assertThrows(CompletionException.class, removal::join)
                            .getCause());
                }
                return super.open(key);
            }
        });
        Move.of(source, target).run(OPTIONS);
        assertTrue(failures.get(0).getMessage().contains("lock"), failures::toString);
        assertArrayEquals(VALUES, Zarr.openArray(target, "", OPTIONS).read().ints());
    }

    private static FileStore source(Path dir) {
        FileStore source = FileStore.at(dir);
        ZarrArray array =
                Zarr.createArray(source, "", ArraySpec.of("int32", 64).withChunkShape(16), IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), VALUES, 0);
        array.close();
        return source;
    }

    private static boolean moveUntilChange(int n, FileStore source, FileStore target) {
        AtomicInteger left = new AtomicInteger(n);
        try {
            Move.of(new Dying(source, left), new Dying(target, left)).run(OPTIONS);
            return true;
        } catch (ZarrException e) {
            return false;
        }
    }

    private static void complete(FileStore source, FileStore target) {
        AtomicInteger unlimited = new AtomicInteger(Integer.MAX_VALUE);
        Move.of(new Dying(source, unlimited), new Dying(target, unlimited)).run(OPTIONS);
    }

    @Test
    void killedAtAnyMoment_itIsCompletedByTheSameCall(@TempDir Path dir) throws Exception {
        boolean hasEnded = false;
        int completedRemovals = 0;
        for (int n = 1; !hasEnded; n++) {
            assertTrue(n < MANY_CHANGES, "the move never ends");
            FileStore source = source(dir.resolve("from" + n));
            FileStore target = FileStore.at(dir.resolve("to" + n));
            hasEnded = moveUntilChange(n, source, target);
            boolean isSourceWhole = Files.exists(source.root().resolve("zarr.json"));
            assertTrue(isSourceWhole || Files.exists(target.root().resolve("zarr.json")));
            boolean hasRecord = Files.exists(target.root().resolve("__unfinished"));
            if (!hasEnded && (isSourceWhole || hasRecord)) {
                complete(source, target);
                completedRemovals += isSourceWhole ? 0 : 1;
            }
            assertArrayEquals(VALUES, Zarr.openArray(target, "", OPTIONS).read().ints(), "killed at change " + n);
            assertFalse(Files.exists(source.root()), "killed at change " + n);
            assertFalse(Files.exists(target.root().resolve("__unfinished")), "killed at change " + n);
        }
        assertTrue(completedRemovals > 1, "completed " + completedRemovals + " removals");
    }

    /** While the source is deleted, another program makes an array there. */
    @Test
    void newNodeAtTheSource_isNotDeleted(@TempDir Path dir) throws Exception {
        int found = 0;
        boolean hasEnded = false;
        for (int n = 1; !hasEnded; n++) {
            assertTrue(n < MANY_CHANGES, "the move never ends");
            FileStore source = source(dir.resolve("from" + n));
            FileStore target = FileStore.at(dir.resolve("to" + n));
            hasEnded = moveUntilChange(n, source, target);
            if (Files.exists(target.root().resolve("__unfinished")) && !Files.exists(source.root())) {
                ZarrArray other = Zarr.createArray(
                        source, "", ArraySpec.of("int32", 64).withChunkShape(16), IfExists.REFUSE, OPTIONS);
                StoreException e = assertThrows(StoreException.class, () -> complete(source, target));
                assertTrue(e.getMessage().contains("is complete: keep it"), e.getMessage());
                other.write(other.domain(), IntStream.range(100, 164).toArray(), 0);
                assertThrows(StoreException.class, () -> complete(source, target));
                assertEquals(100, Zarr.openArray(source, "", OPTIONS).read().longAt(0));
                found++;
            }
        }
        assertTrue(found > 0);
    }
}
