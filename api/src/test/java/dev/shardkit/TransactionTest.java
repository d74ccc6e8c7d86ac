package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Locks;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Many writes, each shard published once. */
@Timeout(120)
class TransactionTest {
    private static final int SIZE = 60;
    private static final long ROOM = 1 << 20;

    @TempDir
    Path dir;

    private final Log log = new Log();

    private ZarrArray create(ArraySpec spec) {
        return Zarr.createArray(
                FileStore.at(dir),
                "a",
                spec.withFillValue(5),
                IfExists.REFUSE,
                ZarrOptions.defaults().withListener(log).withCacheBytes(0));
    }

    /** Four shards of 4 x 4 inner chunks, the last ones past the edge. */
    private static ArraySpec plain() {
        return ArraySpec.of("uint16", SIZE, SIZE).withShardShape(32, 32).withChunkShape(8, 8);
    }

    private ZarrArray noise() {
        ZarrArray array = create(plain());
        array.write(array.domain(), Values.noise(array, 1), 0);
        log.clear();
        return array;
    }

    static Stream<Arguments> specs() {
        Json nested = Codecs.sharding(new long[] {4, 4}, Codecs.bytesLittleEndian(), Codecs.zstd(3));
        return Stream.of(
                Arguments.of("sharded", plain().withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3))),
                Arguments.of("nested", plain().withCodecs(nested)),
                Arguments.of("not sharded", ArraySpec.of("uint16", SIZE, SIZE).withChunkShape(16, 16)),
                Arguments.of(
                        "transposed",
                        ArraySpec.of("uint16", SIZE, SIZE)
                                .withChunkShape(32, 32)
                                .withCodecs(
                                        Codecs.transpose(1, 0),
                                        Codecs.sharding(new long[] {8, 4}, Codecs.bytesLittleEndian()))),
                Arguments.of(
                        "around a shard",
                        ArraySpec.of("uint16", SIZE, SIZE)
                                .withChunkShape(32, 32)
                                .withCodecs(
                                        Codecs.sharding(new long[] {8, 4}, Codecs.bytesLittleEndian()),
                                        Codecs.gzip(1))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("specs")
    void commit_ofRandomWrites_isWhatTheyAreOneByOne(String name, ArraySpec spec) {
        ZarrArray array = create(spec);
        short[] model = new short[SIZE * SIZE];
        Arrays.fill(model, (short) 5);
        Random random = new Random(7);
        for (ShardWritePolicy.Strategy strategy : ShardWritePolicy.Strategy.values()) {
            ZarrArray handle = array.with(
                    o -> o.withWritePolicy(ShardWritePolicy.defaults().withStrategy(strategy)));
            for (int round = 0; round < Rounds.of(2); round++) {
                log.clear();
                int count = round % 3 == 2 ? 60 : 5;
                try (Transaction all = handle.transaction(ROOM)) {
                    for (int i = 0; i < count; i++) {
                        stage(all, array, model, random);
                    }
                    List<String> keys = all.pending();
                    all.commit();
                    assertEquals(
                            keys.stream().sorted().toList(),
                            all.published().stream().sorted().toList());
                    assertEquals(0, all.stagedBytes());
                }
                List<String> changed = Stream.concat(log.of("write").stream(), log.of("delete").stream())
                        .toList();
                assertEquals(changed.stream().distinct().toList(), changed, "each once");
                assertArrayEquals(model, array.read().shorts(), strategy + " round " + round);
            }
        }
    }

    private static void stage(Transaction all, ZarrArray array, short[] model, Random random) {
        long[] from = at(random.nextInt(SIZE), random.nextInt(SIZE));
        Box region = box(from, 1 + random.nextInt((int) (SIZE - from[0])), 1 + random.nextInt((int) (SIZE - from[1])));
        boolean erase = random.nextInt(5) == 0;
        short[] values = new short[(int) region.count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = erase ? 5 : (short) (random.nextInt(1000) + 10);
            long[] at = region.at(i);
            model[(int) (at[0] * SIZE + at[1])] = values[i];
        }
        if (erase) {
            all.erase(region);
        } else {
            all.write(region, values, 0);
            Arrays.fill(values, (short) -1); // a copy was taken
        }
    }

    @Test
    void commit_readsOnlyInnerChunksThatAreCoveredInPart() {
        ZarrArray array = noise();
        try (Transaction all = array.transaction(ROOM)) {
            for (int row = 0; row < 16; row++) {
                all.write(box(at(row, 0), 1, 32), new short[32], 0);
            }
            all.commit();
            assertEquals(1, log.of("request").size(), () -> "the index: " + log.of("request"));
            log.clear();
            all.write(box(at(40, 40), 1, 1), new short[1], 0);
            all.write(box(at(41, 41), 1, 1), new short[1], 0);
            all.write(box(at(57, 57), 3, 3), new short[9], 0);
            all.commit();
            assertEquals(
                    2, log.of("request").size(), () -> "the index, two inner chunks at once: " + log.of("request"));
            assertEquals(1, log.of("write").size());
            log.clear();
            for (int row = 32; row < SIZE; row++) {
                all.write(box(at(row, 32), 1, 28), new short[28], 0);
            }
            all.commit();
            assertEquals(List.of(), log.of("request"), "all of a shard, up to the array's edge");
        }
    }

    @Test
    void stage_beyondTheBudget_isRefused() {
        ZarrArray array = noise();
        try (Transaction all = array.transaction(1000)) {
            all.write(box(at(0, 0), 20, 20), new short[400], 0);
            IllegalStateException e =
                    assertThrows(IllegalStateException.class, () -> all.write(box(at(0, 0), 1, 1), new short[1], 0));
            assertTrue(e.getMessage().contains("budget is 1000 bytes, 928 are staged"), e.getMessage());
            assertEquals(List.of(), log.of("write"), "nothing is written before commit");
            all.commit();
            assertEquals(List.of("a/c/0/0"), all.published());
            all.write(box(at(0, 0), 1, 1), new short[1], 0);
            assertThrows(IllegalStateException.class, () -> all.write(array.domain(), Values.noise(array, 2), 0));
        }
    }

    @Test
    void stage_beyondTheBudget_namesTheBytesThatItNeeds() {
        ZarrArray array = create(ArraySpec.of("uint8", 1L << 31, 1L << 31).withChunkShape(1, 1));
        try (Transaction all = array.transaction(1000)) {
            IllegalStateException some =
                    assertThrows(IllegalStateException.class, () -> all.write(box(at(0, 0), 3, 3), new byte[9], 0));
            assertTrue(some.getMessage().contains("needs " + (9 + 9 * 128) + ":"), some.getMessage());
            IllegalStateException most = assertThrows(IllegalStateException.class, () -> all.erase(array.domain()));
            assertTrue(
                    most.getMessage().contains("needs 590295810358705651712:"),
                    most.getMessage()); // 2^62 shards, 2^7 each
        }
    }

    @Test
    void stage_beyondTheBudget_isPublished_whereThatIsWanted() {
        ZarrArray array = noise();
        short[] model = Values.noise(array, 2);
        try (Transaction all = array.transaction(4000, WhenFull.PUBLISH)) {
            for (int row = 0; row < SIZE; row++) {
                Box region = box(at(row, 0), 1, SIZE);
                all.write(region, Values.cut(array, model, region), 0);
                assertTrue(all.stagedBytes() <= 4000);
            }
            assertTrue(log.of("write").size() >= 4, () -> log.of("write").toString());
            Box all10 = box(at(0, 0), SIZE, SIZE);
            all.write(all10, model, 0);
            assertEquals(0, all.stagedBytes(), "larger than the budget: published at once");
            all.commit();
        }
        assertArrayEquals(model, array.read().shorts());
    }

    @Test
    @SuppressWarnings("try")
    void commit_thatFails_saysWhatIsPublished_andCanBeRepeated() throws Exception {
        ZarrArray array = noise();
        short[] model = Values.noise(array, 2);
        ZarrArray impatient = array.with(o -> o.withLockPatience(Duration.ZERO).withParallelism(1));
        try (Transaction all = impatient.transaction(ROOM)) {
            all.write(array.domain(), model, 0);
            all.write(box(at(0, 0), 1, 1), new short[] {7}, 0);
            try (Locks.Lock held = FileStore.at(dir).lock("a", "a/c/1/0", Duration.ZERO)) {
                StoreException e = assertThrows(StoreException.class, all::commit);
                assertEquals(List.of("a/c/0/0", "a/c/0/1"), all.published());
                assertEquals(List.of("a/c/1/0", "a/c/1/1"), all.pending());
                assertEquals(
                        "the commit published 2 of 4 shards: [a/c/0/0, a/c/0/1]; not published: [a/c/1/0, a/c/1/1]",
                        e.getSuppressed()[0].getMessage());
                all.write(box(at(59, 59), 1, 1), new short[] {8}, 0); // behind what is there already
            }
            all.commit();
            assertEquals(List.of("a/c/1/0", "a/c/1/1"), all.published());
            assertEquals(0, all.stagedBytes());
        }
        model[0] = 7;
        model[SIZE * SIZE - 1] = 8;
        assertArrayEquals(model, array.read().shorts());
    }

    @Test
    void close_withoutCommit_dropsAll() {
        ZarrArray array = noise();
        Transaction all = array.transaction(ROOM);
        all.erase(array.domain());
        all.close();
        assertThrows(IllegalStateException.class, all::commit);
        assertThrows(IllegalStateException.class, () -> all.erase(array.domain()));
        assertEquals(List.of(), log.of("delete"));
        assertArrayEquals(Values.noise(array, 1), array.read().shorts());
    }

    @Test
    void take_sharesTheValues_untilTheyArePublished() {
        ZarrArray array = noise();
        NdArray values = NdArray.of(array.dataType(), at(1, 3), new short[] {1, 2, 3});
        try (Transaction all = array.transaction(ROOM)) {
            all.writeOwned(box(at(0, 0), 1, 3), values);
            values.shorts()[1] = 9;
            all.commitAsync().join();
        }
        assertArrayEquals(new short[] {1, 9, 3}, array.read(box(at(0, 0), 1, 3)).shorts());
        try (Transaction all = array.transaction(ROOM)) {
            assertThrows(IllegalArgumentException.class, () -> all.writeOwned(box(at(0, 0), 3, 1), values));
            assertThrows(IllegalArgumentException.class, () -> all.write(box(at(0, 0), 1, 1), new int[1], 0));
            assertThrows(IndexOutOfBoundsException.class, () -> all.erase(box(at(0, 60), 1, 1)));
            all.erase(box(at(3, 3), 0, 9));
            assertEquals(List.of(), all.pending());
        }
    }

    @Test
    void threads_stageEveryElement_ofOneShardAlone() throws Exception {
        ZarrArray array = noise();
        short[] model = Values.noise(array, 4);
        try (Transaction all = array.transaction(ROOM)) {
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                int own = t;
                threads.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = own; i < SIZE * SIZE; i += 3) {
                                all.write(box(at(i / SIZE, i % SIZE), 1, 1), model, i);
                            }
                        },
                        task -> new Thread(task, "writer").start()));
            }
            for (CompletableFuture<Void> thread : threads) {
                thread.get();
            }
            all.commit();
        }
        assertEquals(4, log.of("write").size());
        assertEquals(List.of(), log.of("request"), "each shard is covered");
        assertArrayEquals(model, array.read().shorts());
    }
}
