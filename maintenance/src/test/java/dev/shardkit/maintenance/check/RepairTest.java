package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.ForwardingStore;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.check.Repair.Summary;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.RawShard;
import dev.shardkit.testing.StampedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dry run lists the faults, a run repairs them, and faults that cannot be repaired are reported. */
@Timeout(120)
class RepairTest {
    private static final int INNER = 6;
    private static final int SIZE = 4 * INNER + 4 * 16 + 4;

    @TempDir
    Path dir;

    private final List<RepairStep> steps = new ArrayList<>();

    private Path createArray(ArraySpec spec) {
        try (ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), spec)) {
            byte[] values = new byte[(int) array.domain().count()];
            for (int i = 0; i < values.length; i++) {
                values[i] = (byte) (i + 1);
            }
            array.write(array.domain(), values, 0);
        }
        return dir.resolve("a/c/0");
    }

    private static ArraySpec spec() {
        return ArraySpec.of("uint8", 8)
                .withChunkShape(2)
                .withShardShape(8)
                .withCodecs(Codecs.named("bytes", Json.object()), Codecs.crc32c());
    }

    private ZarrArray open() {
        return Zarr.openArray(dir.resolve("a").toString());
    }

    private List<Kind> kinds() {
        return steps.stream().map(RepairStep::kind).toList();
    }

    private void assertRead(int... expected) {
        try (ZarrArray array = open()) {
            byte[] found = array.read().bytes();
            assertArrayEquals(
                    expected,
                    java.util.stream.IntStream.range(0, found.length)
                            .map(i -> found[i])
                            .toArray());
            assertEquals(0, Verification.of(array).run(f -> {}).errors());
        }
    }

    @Test
    void soundArray_needsNothing() {
        createArray(spec());
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 0, 0, 0, 0),
                    Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, steps::add));
        }
        assertEquals(List.of(), steps);
    }

    @Test
    void tornEnd_isCut_afterADryRun() throws IOException {
        Path file = createArray(spec());
        byte[] sound = Files.readAllBytes(file);
        byte[] torn = Arrays.copyOf(sound, sound.length + 50);
        Arrays.fill(torn, sound.length, torn.length, (byte) 7);
        StampedFiles.write(file, torn);
        try (ZarrArray array = open()) {
            assertEquals(new Summary(1, 1, 0, 0, 0), Repair.of(array).run(Mode.DRY_RUN, steps::add));
            assertArrayEquals(torn, Files.readAllBytes(file));
            FileStore backup = FileStore.at(dir.resolve("backup"));
            Repair.of(array).withBackup(backup).run(Mode.APPLY, steps::add);
        }
        assertEquals(List.of(Kind.CUT, Kind.CUT), kinds());
        assertEquals(Optional.of(new Extent(SIZE, 50)), steps.get(1).bytes());
        assertArrayEquals(sound, Files.readAllBytes(file));
        assertArrayEquals(torn, Files.readAllBytes(dir.resolve("backup/c/0")));
        assertRead(1, 2, 3, 4, 5, 6, 7, 8);
    }

    private enum Damage {
        TORN,
        INDEX,
        CUT_SHORT
    }

    /** Another program stores the sound object after the check. Repairs look again under the lock. */
    @ParameterizedTest
    @EnumSource(Damage.class)
    void objectThatAnotherProgramHasReplaced_isLeft_andNoRepairIsReported(Damage damage) throws IOException {
        Path file = createArray(spec());
        byte[] sound = Files.readAllBytes(file);
        byte[] damaged = Arrays.copyOf(
                sound, sound.length + (damage == Damage.TORN ? 50 : damage == Damage.INDEX ? 0 : -sound.length + 10));
        if (damage != Damage.CUT_SHORT) {
            damaged[damaged.length - 1] ^= 1;
        }
        StampedFiles.write(file, damaged);
        Store backup = new ForwardingStore(MemoryStore.create()) {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                WriteResult stored = super.putNow(key, content, condition, durability);
                StampedFiles.write(file, sound);
                return stored;
            }
        };
        try (ZarrArray array = open()) {
            Repair repair = damage == Damage.TORN
                    ? Repair.of(array)
                    : damage == Damage.INDEX
                            ? Repair.of(array).droppingCorruptChunks()
                            : Repair.of(array).droppingCorruptShards();
            assertEquals(
                    0, repair.withBackup(backup).run(Mode.APPLY, steps::add).done());
        }
        assertEquals(List.of(Kind.LEFT), kinds(), steps::toString);
        assertTrue(steps.get(0).reason().contains("another program has changed the object"), steps::toString);
        assertArrayEquals(sound, Files.readAllBytes(file));
    }

    @Test
    void tornEnd_andADamagedInnerChunk_bothGo() throws IOException {
        Path file = createArray(spec());
        byte[] torn = Arrays.copyOf(Files.readAllBytes(file), SIZE + 9);
        torn[INNER] ^= 1;
        torn[SIZE] = 1;
        StampedFiles.write(file, torn);
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 2, 1, 0, 0),
                    Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, steps::add));
        }
        assertEquals(List.of(Kind.CUT, Kind.DROP_INNER_CHUNK), kinds());
        assertRead(1, 2, 0, 0, 5, 6, 7, 8);
    }

    @Test
    void shardWithoutAnyValidIndex_isLeft() throws IOException {
        Path file = createArray(spec());
        byte[] broken = Files.readAllBytes(file);
        Arrays.fill(broken, 4 * INNER, SIZE, (byte) 7);
        StampedFiles.write(file, broken);
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 0, 0, 0, 1),
                    Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, steps::add));
        }
        assertEquals(List.of(Kind.LEFT), kinds());
        assertArrayEquals(broken, Files.readAllBytes(file));
    }

    @Test
    void indexWithADamagedChecksum_isRebuilt_andLosesNothing() throws IOException {
        for (IndexLocation location : IndexLocation.values()) {
            Path file = createArray(spec().withIndexLocation(location));
            byte[] whole = Files.readAllBytes(file);
            byte[] broken = whole.clone();
            broken[(location == IndexLocation.END ? SIZE : SIZE - 4 * INNER) - 1] ^= 1;
            StampedFiles.write(file, broken);
            steps.clear();
            try (ZarrArray array = open()) {
                assertEquals(new Summary(1, 0, 0, 0, 1), Repair.of(array).run(Mode.APPLY, steps::add));
                assertArrayEquals(broken, Files.readAllBytes(file), "kept without the option");
                Repair repair = Repair.of(array).droppingCorruptShards();
                assertEquals(new Summary(1, 1, 0, 0, 0), repair.run(Mode.DRY_RUN, steps::add));
                assertArrayEquals(broken, Files.readAllBytes(file));
                assertEquals(new Summary(1, 1, 0, 0, 0), repair.run(Mode.APPLY, steps::add));
            }
            assertEquals(List.of(Kind.LEFT, Kind.REBUILD_INDEX, Kind.REBUILD_INDEX), kinds());
            assertArrayEquals(whole, Files.readAllBytes(file));
            assertRead(1, 2, 3, 4, 5, 6, 7, 8);
            try (ZarrArray array = open()) {
                array.delete();
            }
        }
    }

    @Test
    void indexWithADamagedEntry_keepsTheInnerChunksOfTheOthers() throws IOException {
        for (int entry = 0; entry < 4; entry++) {
            for (int bit = 0; bit < 128; bit += 13) {
                Path file = createArray(spec());
                byte[] broken = Files.readAllBytes(file);
                broken[4 * INNER + 16 * entry + bit / 8] ^= (byte) (1 << bit % 8);
                StampedFiles.write(file, broken);
                steps.clear();
                try (ZarrArray array = open()) {
                    Repair.of(array).droppingCorruptShards().run(Mode.APPLY, steps::add);
                }
                assertTrue(kinds().contains(Kind.REBUILD_INDEX), steps::toString);
                int[] expected = {1, 2, 3, 4, 5, 6, 7, 8};
                Arrays.fill(expected, 2 * entry, 2 * entry + 2, 0);
                assertRead(expected);
                try (ZarrArray array = open()) {
                    array.delete();
                }
            }
        }
    }

    @Test
    void truncatedShard_isDeleted_whereTheCallerSaysSo() throws IOException {
        for (ArraySpec spec : List.of(spec(), spec().withIndexLocation(IndexLocation.START))) {
            Path file = createArray(spec);
            byte[] whole = Files.readAllBytes(file);
            byte[] cut = Arrays.copyOf(whole, whole.length / 3);
            StampedFiles.write(file, cut);
            steps.clear();
            try (ZarrArray array = open()) {
                assertEquals(
                        new Summary(1, 0, 0, 0, 1),
                        Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, steps::add));
                assertEquals(
                        new Summary(1, 1, 0, 1, 0),
                        Repair.of(array).droppingCorruptShards().run(Mode.DRY_RUN, steps::add));
                assertArrayEquals(cut, Files.readAllBytes(file));
                assertEquals(
                        new Summary(1, 1, 0, 1, 0),
                        Repair.of(array).droppingCorruptShards().run(Mode.APPLY, steps::add));
                assertEquals(List.of(Kind.LEFT, Kind.DROP_SHARD, Kind.DROP_SHARD), kinds());
                assertFalse(Files.exists(file));
                array.delete();
            }
        }
    }

    @Test
    void truncatedShard_withItsIndexAtTheStart_keepsTheInnerChunksThatAreWhole() throws IOException {
        for (int kept = 0; kept < 4; kept++) {
            for (int part : new int[] {0, 1, INNER - 1}) {
                Path file = createArray(spec().withIndexLocation(IndexLocation.START));
                byte[] cut = Arrays.copyOf(Files.readAllBytes(file), SIZE - (4 - kept) * INNER + part);
                StampedFiles.write(file, cut);
                steps.clear();
                int[] expected = {1, 2, 3, 4, 5, 6, 7, 8};
                Arrays.fill(expected, 2 * kept, 8, 0);
                try (ZarrArray array = open()) {
                    Repair repair = Repair.of(array).droppingCorruptChunks();
                    assertEquals(new Summary(1, 4 - kept, 4 - kept, 0, 0), repair.run(Mode.DRY_RUN, steps::add));
                    assertArrayEquals(cut, Files.readAllBytes(file));
                    assertEquals(new Summary(1, 4 - kept, 4 - kept, 0, 0), repair.run(Mode.APPLY, steps::add));
                }
                assertTrue(kinds().stream().allMatch(k -> k == Kind.DROP_INNER_CHUNK), steps::toString);
                assertRead(expected);
                try (ZarrArray array = open()) {
                    array.delete();
                }
            }
        }
    }

    @Test
    void truncatedNestedShard_keepsTheInnerChunksThatAreWhole() throws IOException {
        Json inner = Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object()), Codecs.crc32c());
        Path file = createArray(ArraySpec.of("uint8", 12)
                .withChunkShape(4)
                .withShardShape(12)
                .withCodecs(inner)
                .withIndexLocation(IndexLocation.START));
        byte[] whole = Files.readAllBytes(file);
        StampedFiles.write(file, Arrays.copyOf(whole, whole.length - 5));
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 1, 0, 1, 0),
                    Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, steps::add));
        }
        assertEquals(List.of(Kind.DROP_SHARD), kinds()); // an inner shard, with two chunks
        assertRead(1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0);
    }

    @Test
    void damagedInnerChunks_areLeft_orListedAndDropped() throws IOException {
        RawShard shard = RawShard.of(createArray(spec()), 4);
        shard.flip(INNER).entry(3, 9999, 6).write();
        try (ZarrArray array = open()) {
            // without decoding, only the entry is checked
            assertEquals(new Summary(1, 0, 0, 0, 1), Repair.of(array).run(Mode.APPLY, steps::add));
            steps.clear();
            // the bytes of the invalid entry may belong to another program
            assertEquals(
                    new Summary(1, 0, 0, 0, 2),
                    Repair.of(array).droppingCorruptChunks().run(Mode.DRY_RUN, steps::add));
            steps.clear();
            Repair dropping = Repair.of(array).droppingCorruptChunks().withForeignBytes(ForeignBytes.DROP);
            assertEquals(new Summary(1, 2, 2, 0, 0), dropping.run(Mode.DRY_RUN, steps::add));
            List<String> dry = steps.stream()
                    .map(s -> s.kind() + " " + s.location() + s.reason())
                    .toList();
            steps.clear();
            assertEquals(new Summary(1, 2, 2, 0, 0), dropping.run(Mode.APPLY, steps::add));
            assertEquals(
                    dry,
                    steps.stream()
                            .map(s -> s.kind() + " " + s.location() + s.reason())
                            .toList());
        }
        assertEquals(List.of(Kind.DROP_INNER_CHUNK, Kind.DROP_INNER_CHUNK), kinds());
        assertEquals(
                List.of("[1]", "[3]"),
                steps.stream()
                        .map(s -> Arrays.toString(
                                s.location().orElseThrow().innerChunks().get(0)))
                        .toList());
        assertRead(1, 2, 0, 0, 5, 6, 0, 0);
    }

    @Test
    void damageInANestedShard_costsItsInnerChunkOnly() throws IOException {
        Json inner = Codecs.sharding(new long[] {2}, Codecs.named("bytes", Json.object()), Codecs.crc32c());
        Path file = createArray(
                ArraySpec.of("uint8", 12).withChunkShape(4).withShardShape(12).withCodecs(inner));
        byte[] bytes = Files.readAllBytes(file);
        int size = 2 * INNER + 2 * 16 + 4;
        bytes[0] ^= 1;
        bytes[2 * size - 1] ^= 1; // the index of the second inner shard
        StampedFiles.write(file, bytes);
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 2, 1, 1, 0),
                    Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, steps::add));
        }
        assertRead(0, 0, 3, 4, 0, 0, 0, 0, 9, 10, 11, 12);
    }

    @Test
    void shardWithForeignBytes_isLeft_unlessTold() throws IOException {
        RawShard shard = RawShard.of(createArray(spec()), 4);
        shard.flip(INNER).insert(0, 32).write();
        byte[] before = Files.readAllBytes(dir.resolve("a/c/0"));
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 0, 0, 0, 1),
                    Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, steps::add));
            assertTrue(steps.get(0).reason().contains("KEEP or DROP"), steps::toString);
            assertArrayEquals(before, Files.readAllBytes(dir.resolve("a/c/0")));
            Repair.of(array)
                    .droppingCorruptChunks()
                    .withForeignBytes(ForeignBytes.KEEP)
                    .run(Mode.APPLY, steps::add);
        }
        assertEquals("x".repeat(32), new String(Files.readAllBytes(dir.resolve("a/c/0")), 0, 32));
        assertRead(1, 2, 0, 0, 5, 6, 7, 8);
    }

    @Test
    void plainChunkThatDoesNotDecode_isDeletedOnRequest() throws IOException {
        Path file = createArray(ArraySpec.of("uint8", 4).withChunkShape(2).withCodecs(Codecs.gzip(1)));
        StampedFiles.write(file, new byte[] {1, 2, 3});
        try (ZarrArray array = open()) {
            assertEquals(
                    new Summary(1, 1, 1, 0, 0),
                    Repair.of(array)
                            .droppingCorruptChunks()
                            .withBackup(FileStore.at(dir.resolve("backup")))
                            .run(Mode.APPLY, steps::add));
        }
        assertEquals(List.of(Kind.DROP_CHUNK), kinds());
        assertFalse(Files.exists(file));
        assertEquals(3, Files.size(dir.resolve("backup/c/0")));
        assertRead(0, 0, 3, 4);
    }

    @Test
    void indexAtTheStart_hasNoLastOne() throws IOException {
        Path file = createArray(spec().withIndexLocation(IndexLocation.START));
        byte[] broken = Files.readAllBytes(file);
        broken[0] ^= 1;
        StampedFiles.write(file, broken);
        try (ZarrArray array = open()) {
            assertEquals(new Summary(1, 0, 0, 0, 1), Repair.of(array).run(Mode.APPLY, steps::add));
        }
    }
}
