package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.TestObjects;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of layout in place whose objects several processes stage. */
@Timeout(120)
class PartedRelayoutTest extends RelayoutTestBase {
    private PartedRelayout shards(Store store, long... shape) {
        return PartedRelayout.of(Relayout.of(Zarr.openArray(store, "a", options), ShardLayout.shardShape(shape)));
    }

    /** A change that must decode, because the chunks get another shape. */
    private PartedRelayout chunks(Store store) {
        return PartedRelayout.of(Relayout.of(Zarr.openArray(store, "a", options), ShardLayout.shardShape(4, 12))
                .withChunkShape(2, 4));
    }

    private static Map<String, String> objects(Store store) throws IOException {
        List<String> names = new ArrayList<>();
        dev.shardkit.store.access.BlockingStore.to(store).listAll("a", entry -> names.add(entry.name()));
        Map<String, String> objects = new TreeMap<>();
        for (String name : names) {
            objects.put(name, java.util.HexFormat.of().formatHex(TestObjects.get(store, "a/" + name)));
        }
        return objects;
    }

    @Test
    void partsInAnyOrder_makeTheObjectsOfOneRun() throws IOException {
        for (boolean moves : new boolean[] {true, false}) {
            MemoryStore store = MemoryStore.create();
            ZarrArray array = createWritten(store, "a", unshardedSpec());
            MemoryStore alone = MemoryStore.create();
            createWritten(alone, "a", unshardedSpec());
            Relayout one = Relayout.of(open(alone), ShardLayout.shardShape(moves ? 6 : 4, moves ? 8 : 12));
            (moves ? one : one.withChunkShape(2, 4)).run(Mode.APPLY, reported::add);

            Map<String, String> before = objects(store);
            long objects = 0;
            for (int part : new int[] {3, 1, 2}) {
                PartedRelayout change = moves ? shards(store, 6, 8) : chunks(store);
                objects += change.stage(new Part(part, 3)).objects();
                assertEquals(before, objects(store), "readers see the old array");
            }
            assertEquals(moves ? 4 : 3, objects);
            long used = codec.used();
            (moves ? shards(store, 6, 8) : chunks(store)).finish(reported::add);
            assertEquals(used, codec.used(), "nothing is decoded again");
            assertEquals(objects(alone), objects(store));
            assertArrayEquals(numbers(array), open(store).read().ints());
            assertTrue(store.open("a/__unfinished").isEmpty());
            assertEquals(
                    0,
                    (moves ? shards(store, 6, 8) : chunks(store))
                            .stage(new Part(1, 3))
                            .objects());
            assertEquals(
                    1,
                    shards(store, moves ? 6 : 4, moves ? 8 : 12)
                            .finish(reported::add)
                            .unchanged());
        }
    }

    @Test
    void partsAtOnce_doNotDisturbEachOther() throws IOException {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = createWritten(store, "a", unshardedSpec());
        List<CompletableFuture<Long>> parts = new ArrayList<>();
        for (int part = 1; part <= 4; part++) {
            Part mine = new Part(part, 4);
            parts.add(CompletableFuture.supplyAsync(
                    () -> chunks(store).stage(mine).objects()));
        }
        assertEquals(3, parts.stream().mapToLong(CompletableFuture::join).sum());
        chunks(store).finish(reported::add);
        assertArrayEquals(numbers(array), open(store).read().ints());
        assertEquals(List.of("c", "zarr.json"), names(store));
    }

    private static List<String> names(Store store) throws IOException {
        List<String> names = new ArrayList<>();
        dev.shardkit.store.access.BlockingStore.to(store).list("a", entry -> names.add(entry.name()));
        return names.stream().sorted().toList();
    }

    @Test
    void missingPart_isNamed_andTheArrayStays() throws IOException {
        MemoryStore store = MemoryStore.create();
        createWritten(store, "a", unshardedSpec());
        assertTrue(refused(() -> shards(store, 6, 8).finish(reported::add)).contains("no part was staged"));
        Map<String, String> before = objects(store);
        shards(store, 6, 8).stage(new Part(2, 3));
        TestObjects.put(store, "a/__unfinished_parts/1_of_3", "no mark of ours");
        assertTrue(refused(() -> shards(store, 6, 8).finish(reported::add)).contains("missing part 1/3, 3/3"));
        assertTrue(refused(() -> shards(store, 6, 8).stage(new Part(1, 2))).contains("parts of another number"));
        assertTrue(refused(() -> shards(store, 3, 8).stage(new Part(1, 3))).contains("parts of another change"));
        assertEquals(before, objects(store));
        Relayout.of(open(store), ShardLayout.shardShape(6, 8)).run(Mode.APPLY, reported::add);
        assertTrue(open(store).isSharded(), "a run without parts makes what is missing");
        assertEquals(List.of("c", "zarr.json"), names(store));
    }

    @Test
    void writeAfterTheFirstPart_isKept_andEndsTheParts() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = createWritten(store, "a", unshardedSpec());
        chunks(store).stage(new Part(1, 2));
        open(store).write(Box.of(new long[] {1, 1}), new int[] {-5}, 0);
        assertTrue(refused(() -> chunks(store).stage(new Part(2, 2))).contains("the parts are of no use"));
        assertTrue(refused(() -> chunks(store).finish(reported::add)).contains("missing part 2/2"));
        Relayout.of(open(store), ShardLayout.shardShape(4, 12))
                .withChunkShape(2, 4)
                .run(Mode.APPLY, reported::add);
        int[] expected = numbers(array);
        expected[0] = -5;
        assertArrayEquals(expected, open(store).read().ints());
    }

    @Test
    void writeAfterAllParts_refusesTheEnd() {
        MemoryStore store = MemoryStore.create();
        createWritten(store, "a", unshardedSpec());
        chunks(store).stage(new Part(1, 1));
        open(store).write(Box.of(new long[] {1, 1}), new int[] {-5}, 0);
        assertTrue(refused(() -> chunks(store).finish(reported::add)).contains("the parts are of no use"));
        assertFalse(open(store).isSharded());
        assertEquals(-5, open(store).read().ints()[0]);
    }

    @Test
    void partsStoppedAtAnyMoment_areRepeated() {
        boolean done = false;
        int changes = 0;
        for (; !done; changes++) {
            MemoryStore store = MemoryStore.create();
            ZarrArray array = createWritten(store, "a", unshardedSpec());
            shards(store, 6, 8).stage(new Part(2, 2));
            Store stopping = new StoppingStore(store, changes);
            try {
                shards(stopping, 6, 8).stage(new Part(1, 2));
                shards(stopping, 6, 8).finish(reported::add);
                done = true;
            } catch (StoreException e) {
                assertArrayEquals(numbers(array), open(store).read().ints(), "stopped before change " + changes);
                if (!open(store).isSharded()) {
                    if (store.open("a/__unfinished_parts/1_of_2").isEmpty()) {
                        shards(store, 6, 8).stage(new Part(1, 2));
                    }
                }
                shards(store, 6, 8).finish(reported::add);
            }
            assertArrayEquals(numbers(array), open(store).read().ints(), "stopped before change " + changes);
            assertTrue(open(store).isSharded());
        }
        assertTrue(changes > 15, changes + " changes");
    }

    @Test
    void groups_andStoresWithoutLocks_areRefused() {
        MemoryStore store = MemoryStore.create();
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, options);
        assertTrue(assertThrows(
                        UnsupportedException.class,
                        () -> PartedRelayout.of(
                                Relayout.of(Zarr.openGroup(store, "", options), ShardLayout.unsharded())))
                .getMessage()
                .contains("is a group"));
        MemoryStore conditional = MemoryStore.conditional("c");
        createWritten(conditional, "a", unshardedSpec());
        assertTrue(assertThrows(UnsupportedException.class, () -> shards(conditional, 6, 8))
                .getMessage()
                .contains("cannot lock objects; changing a layout in parts needs"));
    }

    private static String refused(Runnable call) {
        return assertThrows(StoreException.class, call::run).getMessage();
    }
}
