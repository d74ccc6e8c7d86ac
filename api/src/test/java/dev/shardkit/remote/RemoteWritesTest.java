package dev.shardkit.remote;

import static dev.shardkit.remote.RemoteArrays.CHUNK;
import static dev.shardkit.remote.RemoteArrays.OPTIONS;
import static dev.shardkit.remote.RemoteArrays.SHARD;
import static dev.shardkit.remote.RemoteArrays.SHARDS;
import static dev.shardkit.remote.RemoteArrays.create;
import static dev.shardkit.remote.RemoteArrays.filled;
import static dev.shardkit.remote.RemoteArrays.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnknownOutcomeException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays in a remote store that can write: what is asked of it, and what lost answers do. */
@Timeout(120)
class RemoteWritesTest {
    private final MemoryStore behind = MemoryStore.conditional("remote");

    @Test
    void wholeShards_takeOnePutEach_andAreNotRead() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        ZarrArray array = create(remote, SHARDS, OPTIONS);
        int before = remote.requests();
        int writes = remote.writes();
        write(array, 0, (long) SHARDS * SHARD, 7);
        assertEquals(SHARDS, remote.writes() - writes);
        assertTrue(
                remote.requests() - before <= SHARDS + 3,
                "no shard is read; the document is, and its version before and after: " + (remote.requests() - before));
        assertArrayEquals(filled(SHARDS * SHARD, 7), array.read().ints());
    }

    @Test
    void writersOfOneShard_loseNothing() throws Exception {
        ExecutorService answers = Executors.newFixedThreadPool(3);
        ExecutorService writers = Executors.newFixedThreadPool(2);
        try (RemoteAdapter remote = RemoteAdapter.of(behind, answers, 16)) {
            create(remote, 1, OPTIONS);
            CompletableFuture<?>[] both = new CompletableFuture<?>[2];
            for (int w = 0; w < 2; w++) {
                long from = (long) w * CHUNK;
                ZarrArray array = Zarr.openArray(remote, "a", OPTIONS);
                both[w] = CompletableFuture.runAsync(
                        () -> {
                            for (int round = 1; round <= 40; round++) {
                                write(array, from, CHUNK, round);
                                assertArrayEquals(
                                        filled(CHUNK, round),
                                        array.read(Box.of(new long[] {from}, new long[] {CHUNK}))
                                                .ints());
                            }
                        },
                        writers);
            }
            CompletableFuture.allOf(both).get();
            assertArrayEquals(
                    filled(SHARD, 40),
                    Zarr.openArray(remote, "a", OPTIONS).read().ints());
        } finally {
            writers.shutdownNow();
            answers.shutdownNow();
        }
    }

    /** No other writer exists: the requests never arrive, and the store has used up its retries. */
    @Test
    void changeThatNeverArrives_isSentOnce_andNotBlamedOnOthers() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        ZarrArray array = create(remote, 2, OPTIONS);
        write(array, 0, SHARD, 1);
        remote.loseAnswers(key ->
                key.startsWith("a/c/") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
        List<Executable> calls = List.of(
                () -> write(array, 0, CHUNK, 2),
                () -> write(array, 0, SHARD, 3),
                () -> write(array, SHARD, CHUNK, 4),
                () -> array.erase(Box.of(new long[] {0}, new long[] {SHARD})));
        for (Executable call : calls) {
            int before = remote.writes();
            StoreException e = assertThrows(StoreException.class, call);
            assertEquals(1, remote.writes() - before);
            assertTrue(e.getMessage().contains("the answer was lost"), e.getMessage());
        }
        assertArrayEquals(filled(SHARD, 1), Arrays.copyOf(array.read().ints(), SHARD));
    }

    /** Another writer is always first, until the patience ends. */
    @Test
    void writerWhoAlwaysLoses_saysSoInTheEnd() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        create(remote, 1, OPTIONS);
        ZarrArray other = Zarr.openArray(behind, "a", OPTIONS);
        write(other, 0, SHARD, 1);
        AtomicInteger changed = new AtomicInteger();
        ZarrArray array = Zarr.openArray(
                remote, "a", OPTIONS.withLockPatience(Duration.ofMillis(50)).withListener(new StoreListener() {
                    @Override
                    public void onChanged(String key, int attempt) {
                        changed.incrementAndGet();
                    }
                }));
        remote.loseAnswers(key -> {
            if (key.startsWith("a/c/")) {
                write(other, CHUNK, CHUNK, changed.get() + 5);
            }
            return RemoteAdapter.Answer.COMES;
        });
        StoreException e = assertThrows(StoreException.class, () -> write(array, 0, CHUNK, 2));
        assertTrue(e.getMessage().contains("other writers changed it first"), e.getMessage());
        int[] left = other.read().ints();
        assertArrayEquals(filled(CHUNK, 1), Arrays.copyOf(left, CHUNK), "nothing was put");
        assertTrue(left[CHUNK] >= 5, "the other's: " + left[CHUNK]);
    }

    /** Requests that do not arrive come beside another writer: without one, the edit fails. */
    @ParameterizedTest
    @EnumSource
    void lostAnswers_ofEverySecondWrite_changeNothing(RemoteAdapter.Answer lost) {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        ZarrArray array = create(remote, 6, OPTIONS);
        int[] model = new int[6 * SHARD];
        Arrays.fill(model, -1);
        write(array, 0, model.length, -1);
        AtomicInteger asked = new AtomicInteger();
        remote.loseAnswers(key -> {
            if (asked.incrementAndGet() % 2 != 0) {
                return RemoteAdapter.Answer.COMES;
            } else if (lost == RemoteAdapter.Answer.LOST_WITH_THE_REQUEST) {
                storedAgain(key);
            }
            return lost;
        });
        for (int i = 0; i < 30; i++) {
            int from = i * 7 % (6 * SHARD - 5);
            Arrays.fill(model, from, from + 5, i);
            write(array, from, 5, i);
            assertArrayEquals(model, array.read().ints());
        }
        array.erase(Box.of(new long[] {SHARD + 1}, new long[] {2 * SHARD - 2}));
        Arrays.fill(model, SHARD + 1, 3 * SHARD - 1, 0);
        assertArrayEquals(model, array.read().ints());
    }

    /** Stores the same object with another version, as another writer of other elements of the shard would. */
    private void storedAgain(String key) {
        BlockingStore access = BlockingStore.to(behind);
        try (ObjectSnapshot now = access.open(key).orElseThrow()) {
            ByteBuffer all = ByteBuffer.allocate((int) now.size());
            now.read(0, all);
            access.put(key, Content.of(Bytes.of(all.flip())), Durability.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another writer puts the same document: equal content does not show whose put was made. */
    @ParameterizedTest
    @EnumSource(names = {"LOST", "LOST_WITH_THE_REQUEST"})
    void lostAnswerOfADocument_isAnUnknownOutcome_ifTheStoreCannotTell(RemoteAdapter.Answer lost) {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        create(behind, 1, OPTIONS).close();
        ZarrArray other = Zarr.openArray(behind, "a", OPTIONS);
        ZarrArray array = Zarr.openArray(remote, "a", OPTIONS);
        remote.loseAnswers(key -> {
            if (lost == RemoteAdapter.Answer.LOST_WITH_THE_REQUEST) {
                other.changeAttributes(RemoteWritesTest::incremented);
            }
            return lost;
        });
        UnknownOutcomeException e = assertThrows(
                UnknownOutcomeException.class, () -> array.changeAttributes(RemoteWritesTest::incremented));
        assertTrue(e.getMessage().contains("zarr.json"), e.getMessage());
        assertEquals(
                Optional.of(Json.of(1)),
                Zarr.openArray(behind, "a", OPTIONS).attributes().get("n"));
    }

    @Test
    void lostAnswersOfPutsAndDeletions_withoutAnEdit_areUnknownOutcomes() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        remote.loseAnswers(key -> RemoteAdapter.Answer.LOST);
        BlockingStore access = BlockingStore.to(remote);
        Content content = Content.of(Bytes.of(new byte[] {1}));
        assertThrows(UnknownOutcomeException.class, () -> access.put("a", content, Durability.NONE));
        assertThrows(UnknownOutcomeException.class, () -> access.delete("a"));
    }

    private static Json.Obj incremented(Json.Obj now) {
        return now.with(
                "n", Json.of(now.get("n").map(n -> Long.parseLong(n.toString())).orElse(0L) + 1));
    }

    @Test
    void failedPut_endsTheCall() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        ZarrArray array = create(remote, 10, OPTIONS);
        remote.loseAnswers(key -> {
            if (key.endsWith("/4")) {
                throw new StoreException("full");
            }
            return RemoteAdapter.Answer.COMES;
        });
        StoreException e = assertThrows(StoreException.class, () -> write(array, 0, 10L * SHARD, 1));
        assertTrue(e.getMessage().startsWith("full [array "), e.getMessage());
        ExecutionException async = assertThrows(ExecutionException.class, () -> array.writeAsync(
                        array.domain(), NdArray.of(array.dataType(), array.shape(), filled(10 * SHARD, 2)))
                .get());
        assertTrue(async.getCause().getMessage().startsWith("full"), async.toString());
    }

    /** Whoever owns what he writes needs no conditions. */
    @Test
    void ownersPuts_haveNoCondition_othersAreRefusedWithoutOne() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.create());
        assertFalse(remote.can(Locks.class));
        ZarrArray array = create(remote, 2, OPTIONS.withOwnership(WriteOwnership.OWNED));
        write(array, 1, 2, 5);
        write(array, 3, 9, 6);
        assertArrayEquals(
                new int[] {0, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 0, 0, 0, 0},
                array.read().ints());
    }

    @Test
    void groupsAndTrees_areMadeListedAndDeleted() throws Exception {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        Zarr.createGroup(remote, "", Json.object(), IfExists.REFUSE, OPTIONS);
        ZarrArray array = create(remote, 2, OPTIONS);
        write(array, 0, SHARD, 3);
        array = array.resize(new long[] {3 * SHARD}, ResizePolicy.REMOVE);
        write(array, 2 * SHARD, SHARD, 4);
        assertEquals(4, Zarr.openArray(remote, "a", OPTIONS).read().ints()[2 * SHARD]);
        array = array.resize(new long[] {SHARD}, ResizePolicy.REMOVE);
        assertFalse(behind.open("a/c/2").isPresent(), "shards outside are removed");
        array.delete();
        assertFalse(behind.open("a/zarr.json").isPresent());
        assertTrue(BlockingStore.to(remote).delete("none", Condition.ANY) instanceof WriteResult.Nothing);
    }

    /** What a store lacks is said before anything is changed. */
    @Test
    void storeThatCannotWrite_isOneClearError() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        create(remote, 2, OPTIONS);
        Store reading = new Store() {
            @Override
            public String describe() {
                return "reading:";
            }

            @Override
            public Reads reads() {
                return remote;
            }
        };
        ZarrArray array = Zarr.openArray(reading, "a", OPTIONS);
        int before = remote.requests();
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> write(array, 0, 1, 1));
        assertTrue(
                e.getMessage().startsWith("the store reading: cannot write objects; writing elements needs this"),
                e.getMessage());
        assertEquals(before, remote.requests());
    }
}
