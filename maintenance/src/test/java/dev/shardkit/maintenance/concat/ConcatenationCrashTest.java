package dev.shardkit.maintenance.concat;

import static dev.shardkit.maintenance.concat.ConcatenationSamples.OPTIONS;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.WIDTH;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.collect;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.create;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.expectedElements;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.objects;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.openResult;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.sources;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.unshardedSpec;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.maintenance.concat.ConcatenationSamples.Transfer;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.Move;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concatenations that are killed: their leftovers, and which calls may complete them. */
class ConcatenationCrashTest {
    /** A store that fails at its n-th change, before or after making it, and at all later changes. */
    private static final class Dying<
                    S extends Store & LocalReads & BlockingWrites & BlockingListings & TreeDeletions & Locks & Moves>
            implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions, Locks, Moves {
        private final S store;
        private final AtomicInteger left;
        private final boolean before;

        Dying(S store, AtomicInteger left, boolean before) {
            this.store = store;
            this.left = left;
            this.before = before;
        }

        private interface Change<T> {
            T run() throws IOException;
        }

        private <T> T change(Change<T> change) throws IOException {
            int n = left.getAndDecrement();
            if (n < 1 || (n == 1 && before)) {
                throw new IOException("killed");
            }
            T done = change.run();
            if (n == 1) {
                throw new IOException("killed");
            }
            return done;
        }

        @Override
        public String describe() {
            return store.describe();
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            return store.open(key);
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) throws IOException {
            store.list(prefix, entries);
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Lock lock(String array, String key, Duration patience) throws IOException {
            return store.lock(array, key, patience);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            return change(() -> store.putNow(key, content, condition, durability));
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            return change(() -> store.deleteNow(key, condition));
        }

        /** Fails after half of the objects are deleted. */
        @Override
        public void deleteAll(String prefix) throws IOException {
            Map<String, byte[]> all = new HashMap<>();
            collect(BlockingStore.to(store), prefix, all);
            List<String> keys = all.keySet().stream().sorted().toList();
            for (String key : keys) {
                change(() -> store.deleteNow(key, new Condition.Any()));
            }
            change(() -> {
                store.deleteAll(prefix);
                return true;
            });
        }

        @Override
        public boolean takeOver(Store source, String from, String key, Durability durability) throws IOException {
            return change(() -> store.takeOver(((Dying<?>) source).store, from, key, durability));
        }
    }

    @ParameterizedTest
    @EnumSource
    void killedAtAnyMoment_itIsOld_orEndedByTheSameCall(Transfer way) throws Exception {
        int deaths = 0;
        for (int n = 1; n == deaths + 1; n++) {
            for (boolean before : new boolean[] {true, false}) {
                MemoryStore store = MemoryStore.create();
                List<Source> sources = sources(
                        store,
                        unshardedSpec(10).withChunkShape(4, 4),
                        unshardedSpec(9).withChunkShape(3, 4));
                int[] all = expectedElements(sources);
                Dying<MemoryStore> dying = new Dying<>(store, new AtomicInteger(n), before);
                List<Source> under =
                        sources.stream().map(s -> new Source(dying, s.path())).toList();
                try {
                    way.of(under, 0).reencodingEdges().to(dying, "out");
                    continue;
                } catch (ZarrException e) {
                    deaths = n;
                    old(way, store, sources, all);
                }
                boolean done = Zarr.find(store, "out", OPTIONS).isPresent()
                        && store.open("out/__unfinished").isEmpty();
                if (!done) {
                    way.of(sources, 0).reencodingEdges().to(store, "out");
                }
                assertArrayEquals(all, openResult(store).read().ints());
                assertTrue(objects(store).keySet().stream()
                        .allMatch(k -> k.startsWith(way == Transfer.MOVE ? "out/" : "")));
                assertFalse(store.open("out/__unfinished").isPresent());
            }
        }
        assertTrue(deaths > 12, "died " + deaths + " times");
    }

    /** After a crash: each source is whole or no array any more, and the new array is whole or not there. */
    private static void old(Transfer way, MemoryStore store, List<Source> sources, int[] all) {
        boolean published = Zarr.find(store, "out", OPTIONS).isPresent();
        if (published) {
            assertArrayEquals(all, Zarr.openArray(store, "out", OPTIONS).read().ints());
        }
        int at = 0;
        for (int i = 0; i < sources.size(); i++) {
            int length = (i == 0 ? 10 : 9) * WIDTH;
            Optional<?> node = Zarr.find(store, sources.get(i).path(), OPTIONS);
            assertTrue(way == Transfer.MOVE || node.isPresent());
            if (node.isPresent()) {
                assertArrayEquals(
                        Arrays.copyOfRange(all, at, at + length),
                        Zarr.openArray(store, sources.get(i).path(), OPTIONS)
                                .read()
                                .ints(),
                        "a source with holes");
            }
            at += length;
        }
    }

    @Test
    void sourceThatHasChangedSince_isNotMixed() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(
                store, unshardedSpec(8).withChunkShape(4, 4), unshardedSpec(9).withChunkShape(3, 4));
        Dying<MemoryStore> dying = new Dying<>(store, new AtomicInteger(4), true);
        assertThrows(StoreException.class, () -> Transfer.COPY
                .of(sources.stream().map(s -> new Source(dying, s.path())).toList(), 0)
                .to(dying, "out"));
        ZarrArray second = Zarr.openArray(store, "s1", OPTIONS);
        second.write(second.domain(), new int[9 * WIDTH], 0);
        StoreException e = assertThrows(
                StoreException.class, () -> Transfer.COPY.of(sources, 0).to(store, "out"));
        assertTrue(e.getMessage().contains("s1 has changed since"), e.getMessage());
    }

    @Test
    void anotherCall_doesNotEndIt() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(
                store, unshardedSpec(8).withChunkShape(4, 4), unshardedSpec(9).withChunkShape(3, 4));
        Dying<MemoryStore> dying = new Dying<>(store, new AtomicInteger(13), true);
        assertThrows(StoreException.class, () -> Transfer.MOVE
                .of(sources.stream().map(s -> new Source(dying, s.path())).toList(), 0)
                .to(dying, "out"));
        StoreException e = assertThrows(StoreException.class, () -> Transfer.COPY
                .of(List.of(sources.get(1), sources.get(0)), 0)
                .to(store, "out"));
        assertTrue(e.getMessage().contains("unfinished"), e.getMessage());
        Transfer.MOVE.of(sources, 0).to(store, "out");
        assertEquals(17, openResult(store).shape()[0]);
    }

    @Test
    void nodeOfAnotherProgramAtTheTarget_isNeverTakenForTheResult(@TempDir Path dir) throws Exception {
        int refused = 0;
        boolean hasEnded = false;
        for (int n = 1; !hasEnded; n++) {
            FileStore store = FileStore.at(dir.resolve("of" + n));
            List<Source> sources = sources(
                    store,
                    unshardedSpec(8).withChunkShape(4, 8),
                    unshardedSpec(9).withChunkShape(4, 8));
            int[] all = expectedElements(sources);
            hasEnded = moveUntilChange(n, store, sources);
            boolean isStaging = store.open("out/__unfinished").isPresent()
                    && store.open("out/zarr.json").isEmpty();
            if (!isStaging) {
                continue;
            }
            Path document = store.root().resolve("out/zarr.json");
            Files.writeString(document, "{\"zarr_format\": 3, \"node_type\": \"group\"}");
            Set<String> before = objects(store).keySet();
            StoreException e = assertThrows(
                    StoreException.class, () -> Transfer.MOVE.of(sources, 0).to(store, "out"));
            assertTrue(e.getMessage().contains("another program has made an array or group"), e.getMessage());
            assertEquals(before, objects(store).keySet());
            Files.delete(document);
            Transfer.MOVE.of(sources, 0).to(store, "out");
            assertArrayEquals(all, openResult(store).read().ints());
            assertTrue(objects(store).keySet().stream().allMatch(key -> key.startsWith("out/")));
            refused++;
        }
        assertTrue(refused > 5, "refused " + refused + " times");
    }

    @Test
    void changeOfThePublishedResult_doesNotStopTheMove(@TempDir Path dir) throws Exception {
        int changed = 0;
        boolean hasEnded = false;
        for (int n = 1; !hasEnded; n++) {
            FileStore store = FileStore.at(dir.resolve("of" + n));
            List<Source> sources = sources(
                    store,
                    unshardedSpec(8).withChunkShape(4, 8),
                    unshardedSpec(9).withChunkShape(4, 8));
            int[] all = expectedElements(sources);
            hasEnded = moveUntilChange(n, store, sources);
            boolean isSwitched = Publication.at(store, "out")
                    .record()
                    .filter(record -> record.step() == Step.SWITCHED)
                    .isPresent();
            if (isSwitched) {
                Zarr.openArray(store, "out", OPTIONS)
                        .changeAttributes(found -> found.with("title", Json.of("changed meanwhile")));
                Transfer.MOVE.of(sources, 0).to(store, "out");
                assertArrayEquals(all, openResult(store).read().ints());
                assertTrue(objects(store).keySet().stream().allMatch(key -> key.startsWith("out/")));
                changed++;
            }
        }
        assertTrue(changed > 1, "changed " + changed + " times");
    }

    /** The chunks are stored nowhere else, and the record names the absolute locations of the sources. */
    @Test
    void groupAboveAnUnfinishedMove_isNeitherRemovedNorMoved(@TempDir Path dir) throws Exception {
        FileStore store = FileStore.at(dir.resolve("group"));
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        List<Source> sources = sources(
                store, unshardedSpec(8).withChunkShape(4, 8), unshardedSpec(9).withChunkShape(4, 8));
        int[] all = expectedElements(sources);
        moveUntilChange(14, store, sources);
        assertTrue(Files.exists(store.root().resolve("out/c")));
        Set<String> before = objects(store).keySet();
        Set<String> named = new TreeSet<>();
        Verification.of(Zarr.openGroup(store, "", OPTIONS)).run(finding -> {
            assertEquals(Finding.Kind.UNFINISHED, finding.kind());
            named.add(finding.node());
        });
        assertEquals(Set.of("s0", "s1", "out"), named);
        MemoryStore memory = MemoryStore.create();
        ZarrArray other = create(memory, "", unshardedSpec(8), 1);
        List<Executable> calls = List.of(
                () -> Move.of(store, FileStore.at(dir.resolve("moved"))).run(OPTIONS),
                () -> Removal.of(store).includingOtherFiles().run(OPTIONS),
                () -> Zarr.openGroup(store, "", OPTIONS).delete(),
                () -> Zarr.createGroup(store, "", Json.object(), IfExists.OVERWRITE, OPTIONS),
                () -> Copy.of(other).overwriting().to(store, OPTIONS));
        for (Executable call : calls) {
            StoreException e = assertThrows(StoreException.class, call);
            assertTrue(e.getMessage().contains("unfinished concatenation that moves"), e.getMessage());
            assertEquals(before, objects(store).keySet());
        }
        Transfer.MOVE.of(sources, 0).to(store, "out");
        assertArrayEquals(all, openResult(store).read().ints());
        Move.of(store, FileStore.at(dir.resolve("moved"))).run(OPTIONS);
    }

    /** Moves the sources until the n-th change of the store. Returns whether the move ended before. */
    private static boolean moveUntilChange(int n, FileStore store, List<Source> sources) {
        Dying<FileStore> dying = new Dying<>(store, new AtomicInteger(n), true);
        try {
            Transfer.MOVE
                    .of(sources.stream().map(s -> new Source(dying, s.path())).toList(), 0)
                    .to(dying, "out");
            return true;
        } catch (ZarrException e) {
            return false;
        }
    }
}
