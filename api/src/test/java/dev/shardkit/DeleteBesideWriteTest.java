package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Child;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write that has begun when its array is deleted, and made again as it was, leaves nothing in the new array. */
@Timeout(180)
class DeleteBesideWriteTest {
    private static final ArraySpec SPEC =
            ArraySpec.of("int32", 8).withShardShape(4).withChunkShape(2);

    @TempDir
    Path dir;

    /** Where the write waits while the array is deleted. */
    enum Pause {
        /** It has the lock of the first shard, which it reads, and has stored nothing. */
        IN_A_SHARD,
        /** It has stored the first shard, and no lock. */
        BETWEEN_SHARDS
    }

    /** Which node is deleted. */
    enum Deleted {
        ARRAY,
        GROUP
    }

    /** Calls {@code wait} once, where the write is to wait. */
    private static StoreListener pausing(Pause pause, Runnable wait) {
        return new StoreListener() {
            private boolean waited;

            private synchronized void reach(Pause reached) {
                if (reached == pause && !waited) {
                    waited = true;
                    wait.run();
                }
            }

            @Override
            public void onRequest(String key, ByteRange range) {
                if (key.startsWith("g/a/c/")) {
                    reach(Pause.IN_A_SHARD);
                }
            }

            @Override
            public void onProgress(long done, long total) {
                reach(Pause.BETWEEN_SHARDS);
            }
        };
    }

    /** Changes a part of each shard, so each is read before it is stored. */
    private static void write(Store store, StoreListener listener) {
        ZarrOptions options = ZarrOptions.defaults().withParallelism(1).withListener(listener);
        int[] sixes = new int[6];
        Arrays.fill(sixes, 6);
        Zarr.openArray(store, "g/a", options).write(box(at(1), 6), sixes, 0);
    }

    private static void create(Store store) {
        Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        Zarr.createArray(store, "g/a", SPEC, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static void fill(Store store) {
        create(store);
        int[] ones = new int[8];
        Arrays.fill(ones, 1);
        Zarr.openArray(store, "g/a", ZarrOptions.defaults()).write(box(at(0), 8), ones, 0);
    }

    private static void delete(Store store, Deleted deleted) {
        if (deleted == Deleted.ARRAY) {
            Zarr.openArray(store, "g/a", ZarrOptions.defaults()).delete();
        } else {
            Zarr.openGroup(store, "g", ZarrOptions.defaults()).delete();
        }
    }

    private static void createAgain(Store store, Deleted deleted) {
        if (deleted == Deleted.GROUP) {
            create(store);
        } else {
            Zarr.createArray(store, "g/a", SPEC, IfExists.REFUSE, ZarrOptions.defaults());
        }
    }

    private static void assertEmpty(Store store) {
        ZarrArray array = Zarr.openArray(store, "g/a", ZarrOptions.defaults());
        assertArrayEquals(new int[8], array.read().ints());
    }

    /** On a thread of its own: the common pool may have one, and both calls wait. */
    private static CompletableFuture<Void> async(Runnable call) {
        return CompletableFuture.runAsync(call, task -> new Thread(task, "caller").start());
    }

    /** Deletes, makes anew where nobody has to be waited for, lets the write go on, and looks. */
    private static void deleteBeside(Store store, Pause pause, Deleted deleted, Runnable goOn) throws Exception {
        if (pause == Pause.BETWEEN_SHARDS) {
            delete(store, deleted);
            createAgain(store, deleted);
            goOn.run();
            return;
        }
        CompletableFuture<Void> deletion = async(() -> delete(store, deleted));
        while (!hasBegun(store)) {
            Thread.onSpinWait();
        }
        assertFalse(deletion.isDone(), "the write has a lock");
        goOn.run();
        deletion.get(60, TimeUnit.SECONDS);
        createAgain(store, deleted);
    }

    /** Whether a deletion has begun: files lose their documents then, and in memory no lock is free. */
    private static boolean hasBegun(Store store) {
        if (store instanceof FileStore) {
            return Zarr.find(store, "g/a", ZarrOptions.defaults()).isEmpty();
        }
        try {
            BlockingStore.to(store).lock("g/a", "g/a/none", Duration.ZERO).close();
            return false;
        } catch (IOException | StoreException e) {
            return true;
        }
    }

    private void inThisProcess(Store writers, Store others, Pause pause, Deleted deleted) throws Exception {
        fill(others);
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Void> writing = async(() -> write(writers, pausing(pause, () -> {
            paused.countDown();
            await(go);
        })));
        assertTrue(paused.await(60, TimeUnit.SECONDS));
        deleteBeside(others, pause, deleted, go::countDown);
        ExecutionException e = assertThrows(ExecutionException.class, () -> writing.get(60, TimeUnit.SECONDS));
        assertInstanceOf(ZarrException.class, e.getCause()); // "deleted", as a look at it or a lock finds
        assertEmpty(others);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Pause.class)
    void inMemory_leavesNothing(Pause pause) throws Exception {
        for (Deleted deleted : Deleted.values()) {
            MemoryStore store = MemoryStore.create();
            inThisProcess(store, store, pause, deleted);
        }
    }

    /** The write has to lock a shard while the deletion waits for the lock of another one, which stays held. */
    @Test
    @SuppressWarnings("try")
    void inMemory_deletionThatFails_letsTheWriteGoOn() throws Exception {
        MemoryStore store = MemoryStore.create();
        fill(store);
        ZarrArray array = Zarr.openArray(store, "g/a", ZarrOptions.defaults());
        ZarrOptions impatient = ZarrOptions.defaults().withLockPatience(Duration.ofSeconds(2));
        // on another thread: one that holds a lock of the array does not wait for its deletion
        try (Locks.Lock held = CompletableFuture.supplyAsync(() -> store.lock("g/a", "g/a/c/0", Duration.ZERO))
                .get()) {
            CompletableFuture<Void> deletion =
                    async(() -> Zarr.openArray(store, "g/a", impatient).delete());
            while (!hasBegun(store)
                    && Zarr.find(store, "g/a", ZarrOptions.defaults()).isPresent()) {
                Thread.onSpinWait();
            }
            array.write(box(at(4), 4), new int[] {7, 7, 7, 7}, 0);
            assertThrows(ExecutionException.class, () -> deletion.get(60, TimeUnit.SECONDS));
        }
        assertArrayEquals(new int[] {1, 1, 1, 1, 7, 7, 7, 7}, array.read().ints());
    }

    @ParameterizedTest
    @EnumSource(Pause.class)
    void inFiles_leavesNothing(Pause pause) throws Exception {
        for (Deleted deleted : Deleted.values()) {
            Path root = dir.resolve(deleted.name());
            inThisProcess(FileStore.at(root), FileStore.at(root), pause, deleted);
        }
    }

    /** The process that writes. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) {
            BufferedReader input = Child.input();
            try {
                write(FileStore.at(Path.of(args[0])), pausing(Pause.valueOf(args[1]), () -> {
                    System.out.println("paused");
                    try {
                        input.readLine();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
                System.out.println("written");
            } catch (ZarrException e) {
                System.out.println("refused");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Pause.class)
    void inAnotherProcess_leavesNothing(Pause pause) throws Exception {
        FileStore store = FileStore.at(dir);
        fill(store);
        try (Child writer = Child.start(Writer.class, "64m", dir.toString(), pause.name())) {
            writer.expect("paused");
            deleteBeside(store, pause, Deleted.ARRAY, () -> writer.say("go"));
            writer.expect("refused");
        }
        assertEmpty(store);
    }

    @Test
    void changesOfMetadata_besideAWrite_areNoDeletion() throws Exception {
        MemoryStore store = MemoryStore.create();
        fill(store);
        write(store, pausing(Pause.BETWEEN_SHARDS, () -> {
            ZarrArray other = Zarr.openArray(store, "g/a", ZarrOptions.defaults());
            other.replaceAttributes(Json.object().with("x", Json.of(1)));
        }));
        assertArrayEquals(
                new int[] {1, 6, 6, 6, 6, 6, 6, 1},
                Zarr.openArray(store, "g/a", ZarrOptions.defaults()).read().ints());
    }
}
