package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.check.Repair.Summary;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stored chunks that no reader finds are reported, and deleted only on request. */
@Timeout(120)
class StrayChunksTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withLockPatience(Duration.ofMillis(20));

    @TempDir
    private Path folder;

    private final List<RepairStep> steps = new ArrayList<>();

    /**
     * An array of 4 elements. Its folder also has the chunk of elements 4 to 7 and an object of another key encoding.
     */
    @BeforeEach
    void arrayWithStrays() throws IOException {
        try (ZarrArray array =
                Zarr.createArray(location(), ArraySpec.of("uint8", 8).withChunkShape(4))) {
            array.write(array.domain(), new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
            array.resize(new long[] {4}, ResizePolicy.KEEP).close();
        }
        Files.write(folder.resolve("a/0"), new byte[4]);
        Files.write(folder.resolve("a/notes.txt"), new byte[4]);
    }

    private String location() {
        return folder.resolve("a").toString();
    }

    private ZarrArray open() {
        return Zarr.openArray(location(), OPTIONS);
    }

    private void assertStrays(boolean exist) throws IOException {
        assertEquals(exist, Files.exists(folder.resolve("a/c/1")));
        assertEquals(exist, Files.exists(folder.resolve("a/0")));
        assertTrue(Files.exists(folder.resolve("a/notes.txt")), "not a chunk key");
        try (ZarrArray array = open()) {
            assertArrayEquals(new byte[] {1, 2, 3, 4}, array.read().bytes());
        }
    }

    private List<String> keys(Kind kind) {
        return steps.stream()
                .filter(step -> step.kind() == kind)
                .map(step -> step.location().flatMap(place -> place.key()).orElse(""))
                .sorted()
                .toList();
    }

    @Test
    void verification_namesThem() {
        List<String> found = new ArrayList<>();
        try (ZarrArray array = open()) {
            assertEquals(
                    0,
                    Verification.of(array)
                            .run(finding -> {
                                if (finding.kind() == Finding.Kind.STRAY_CHUNK) {
                                    found.add(finding.found());
                                }
                            })
                            .errors());
        }
        assertEquals(
                List.of(
                        "0: a chunk key of another encoding than the array's",
                        "c/1: a chunk outside the grid of [1] chunks"),
                found.stream().sorted().toList());
    }

    @Test
    void repair_listsThem_andDeletesThemOnRequest() throws IOException {
        try (ZarrArray array = open()) {
            Repair repair = Repair.of(array);
            assertEquals(new Summary(1, 0, 0, 0, 0), repair.run(Mode.APPLY, steps::add), "no damage");
            assertEquals(List.of("0", "c/1"), keys(Kind.STRAY));
            assertEquals(
                    2, repair.droppingStrays().run(Mode.DRY_RUN, steps::add).done());
            assertEquals(List.of("0", "c/1"), keys(Kind.DROP_STRAY));
            assertStrays(true);

            steps.clear();
            try (Store backup = FileStore.at(folder.resolve("backup"))) {
                assertEquals(
                        new Summary(1, 2, 0, 0, 0),
                        repair.withBackup(backup).droppingStrays().run(Mode.APPLY, steps::add));
            }
            assertEquals(List.of("0", "c/1"), keys(Kind.DROP_STRAY));
            assertStrays(false);
            assertEquals(4, Files.size(folder.resolve("backup/0")));
            assertTrue(Files.exists(folder.resolve("backup/c/1")));
        }
    }

    /**
     * A replacement that was rolled back may leave a chunk under a key of the same encoding with the other separator.
     */
    @Test
    void chunkWithTheOtherSeparator_isAStray() throws IOException {
        Files.write(folder.resolve("a/c.0"), new byte[4]);
        try (ZarrArray array = open()) {
            Repair.of(array).droppingStrays().run(Mode.APPLY, steps::add);
        }
        assertEquals(List.of("0", "c.0", "c/1"), keys(Kind.DROP_STRAY));
        assertStrays(false);
        assertTrue(Files.notExists(folder.resolve("a/c.0")));
    }

    @Test
    void changeOfLayout_isPossibleAfterwards() throws IOException {
        try (ZarrArray array = open()) {
            Relayout change = Relayout.of(array, ShardLayout.chunksPerShard(2));
            List<Relayout.Change> reported = new ArrayList<>();
            change.run(Mode.APPLY, reported::add);
            String reason = reported.get(0).reason().orElseThrow();
            assertTrue(reason.contains("c/1 ") && reason.contains("Repair.droppingStrays"), reason);
            Repair.of(array).droppingStrays().run(Mode.APPLY, steps::add);
            reported.clear();
            change.run(Mode.APPLY, reported::add);
            assertEquals(Relayout.Outcome.CHANGED, reported.get(0).outcome());
        }
        assertStrays(false);
    }

    /** A growing stream stores slices before it extends the array, and a layout change uses keys of its own. */
    @Test
    @SuppressWarnings("try")
    void besideAWriter_nothingIsDeleted() throws IOException {
        for (String name : List.of("__growth", "__unfinished")) {
            steps.clear();
            try (Store store = FileStore.at(folder.resolve("a"));
                    Locks.Lock held = BlockingStore.to(store).lock("", name, Duration.ZERO);
                    ZarrArray array = open()) {
                Summary done = Repair.of(array).droppingStrays().run(Mode.APPLY, steps::add);
                assertEquals(new Summary(1, 0, 0, 0, 1), done, name);
                assertTrue(
                        steps.get(0).reason().contains("held by"), steps.get(0).reason());
            }
            assertStrays(true);
        }
    }

    @Test
    void arrayThatWasExtendedSince_keepsItsChunks() throws IOException {
        try (ZarrArray array = open()) {
            open().resize(new long[] {8}, ResizePolicy.KEEP).close();
            Repair.of(array).droppingStrays().run(Mode.APPLY, steps::add);
        }
        assertEquals(List.of("0"), keys(Kind.DROP_STRAY));
        try (ZarrArray array = open()) {
            assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, array.read().bytes());
        }
    }

    @Test
    void inAStoreWithoutLocks_theyAreDeletedToo() throws IOException {
        try (Store store = MemoryStore.conditional("strays")) {
            BlockingStore access = BlockingStore.to(store);
            try (ZarrArray array = Zarr.createArray(
                    store, "a", ArraySpec.of("uint8", 4).withChunkShape(4), IfExists.REFUSE, OPTIONS)) {
                access.put("a/c/7", Content.of(Bytes.of(new byte[4])), Durability.ATOMIC);
                Repair.of(array).droppingStrays().run(Mode.APPLY, steps::add);
            }
            assertEquals(List.of("a/c/7"), keys(Kind.DROP_STRAY));
            assertTrue(access.open("a/c/7").isEmpty());
        }
    }

    /** In such a store, a stream extends the array first, and then writes to keys that were listed as stray chunks. */
    @Test
    void inAStoreWithoutLocks_slicesOfAStreamMeanwhile_remain() throws IOException {
        int strays = 100; // more than a batch
        try (Store store = MemoryStore.conditional("streams");
                ZarrArray array = Zarr.createArray(
                        store, "a", ArraySpec.of("uint8", 1).withChunkShape(1), IfExists.REFUSE, OPTIONS)) {
            for (int i = 1; i <= strays; i++) {
                BlockingStore.to(store).put("a/c/" + i, Content.of(Bytes.of(new byte[1])), Durability.ATOMIC);
            }
            byte[] slices = new byte[strays + 10];
            Arrays.fill(slices, (byte) 7);
            Repair.of(array).droppingStrays().run(Mode.APPLY, step -> {
                if (steps.isEmpty()) {
                    SliceOptions growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
                    try (SliceWriter stream = array.slices(0, growing)) {
                        stream.write(slices, 0);
                    }
                }
                steps.add(step);
            });
            assertEquals(1, keys(Kind.DROP_STRAY).size());
            assertEquals(List.of(), keys(Kind.LEFT));
            byte[] stored = Zarr.openArray(store, "a", OPTIONS).read().bytes();
            assertArrayEquals(slices, Arrays.copyOfRange(stored, 1, stored.length));
        }
    }
}
