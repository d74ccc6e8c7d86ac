package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Threads;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.crash.Setup.Checksum;
import dev.shardkit.crash.Setup.Nesting;
import dev.shardkit.crash.Setup.Packing;
import dev.shardkit.crash.Setup.Size;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testing.Child;
import dev.shardkit.testkit.internal.Rounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many writers of one shard, which share no inner chunk: nothing is lost, whoever they are and whatever they do. */
@Timeout(180)
class ManyWritersTest {
    private static final int ROUNDS = Rounds.of(8);
    private static final int WRITERS = 4;

    @TempDir
    Path dir;

    private static List<Setup> setups() {
        List<Setup> setups = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            setups.add(
                    new Setup(strategy, IndexLocation.END, Checksum.CRC32C, Packing.ZSTD, Nesting.NESTED, Size.SMALL));
            setups.add(new Setup(strategy, IndexLocation.START, Checksum.NONE, Packing.RAW, Nesting.FLAT, Size.SMALL));
        }
        return setups;
    }

    private static final Setup PREALLOCATED =
            new Setup(Strategy.IN_PLACE, IndexLocation.END, Checksum.CRC32C, Packing.RAW, Nesting.FLAT, Size.SMALL);

    private static Callable<?> writer(Store store, Setup setup, WriteOwnership ownership, int which) {
        return () -> {
            ConcurrentWorkload.own(store, setup, ownership, which, WRITERS, ROUNDS);
            return which;
        };
    }

    private static void fill(Setup setup, Store store) {
        ZarrArray array = setup.create(store, Durability.ATOMIC);
        new Step(setup, 1, Box.of(setup.shape()), false).write(array);
    }

    private void threeProcesses(List<Setup> setups, WriteOwnership ownership) throws Exception {
        try (Child first = Child.start(ConcurrentWorkload.class, "256m");
                Child second = Child.start(ConcurrentWorkload.class, "256m")) {
            first.expect("ready");
            second.expect("ready");
            for (Setup setup : setups) {
                Path root = dir.resolve(setup.toString());
                FileStore store = FileStore.at(root);
                fill(setup, store);
                String job = "own " + root + " " + setup.number() + " " + ownership + " ";
                first.say(job + "0 " + WRITERS + " " + ROUNDS);
                second.say(job + "1 " + WRITERS + " " + ROUNDS);
                Threads.runAll(
                        List.of(writer(store, setup, ownership, 2), writer(FileStore.at(root), setup, ownership, 3)));
                first.expect("done");
                second.expect("done");
                ConcurrentWorkload.assertOwned(setup.open(store, Durability.ATOMIC), setup, WRITERS, ROUNDS);
            }
        }
    }

    @Test
    void threeProcessesAndTwoThreads_ofOneShard_loseNothing_byEveryStrategy() throws Exception {
        threeProcesses(setups(), WriteOwnership.SHARED);
    }

    @Test
    void clients_ofAStoreThatPutsUnderACondition_loseNothing_byEveryStrategy() throws Exception {
        for (Setup setup : setups()) {
            Store store = MemoryStore.conditional(setup.toString());
            fill(setup, store);
            List<Callable<?>> jobs = new ArrayList<>();
            for (int which = 0; which < WRITERS; which++) {
                jobs.add(writer(store, setup, WriteOwnership.SHARED, which));
            }
            Threads.runAll(jobs);
            ConcurrentWorkload.assertOwned(setup.open(store, Durability.ATOMIC), setup, WRITERS, ROUNDS);
        }
    }

    @Test
    void owners_writingInPlaceIntoAPreallocatedShard_needNoLock() throws Exception {
        threeProcesses(List.of(PREALLOCATED), WriteOwnership.OWNED);
    }

    @Test
    @SuppressWarnings("try") // a lock is held, not used
    void writers_ofOtherShards_doNotWait() throws Exception {
        for (Setup setup : setups()) {
            FileStore store = FileStore.at(dir.resolve(setup.toString()));
            fill(setup, store);
            ZarrOptions hasty = setup.options(Durability.ATOMIC).withLockPatience(Duration.ZERO);
            ZarrArray array = Zarr.openArray(store, "a", hasty);
            try (Locks.Lock lock = store.lock("a", "a/c/0/0", Duration.ZERO)) {
                Step.chunk(setup, 5, 4).write(array); // the second shard's first inner chunk
                assertThrows(StoreException.class, () -> Step.chunk(setup, 6, 0).write(array));
            }
            Step.chunk(setup, 7, 0).write(array);
            assertEquals(5, array.read(setup.chunk(4)).ints()[0]);
            assertEquals(7, array.read(setup.chunk(0)).ints()[0]);
        }
    }

    @Test
    void writer_thatWaitsTooLong_isToldWhoHoldsTheShard_andADeadHolderIsNone() {
        Setup setup = setups().get(0);
        FileStore store = FileStore.at(dir);
        fill(setup, store);
        ZarrArray array =
                Zarr.openArray(store, "a", setup.options(Durability.ATOMIC).withLockPatience(Duration.ofMillis(30)));
        try (Child holder = Child.start(ConcurrentWorkload.class, "256m")) {
            holder.expect("ready");
            holder.say("hold " + dir + " a/c/0/0");
            holder.expect("holds");
            StoreException e = assertThrows(
                    StoreException.class, () -> Step.chunk(setup, 6, 0).write(array));
            assertTrue(e.getMessage().contains("process " + holder.pid() + " "), e.getMessage());
            Step.chunk(setup, 5, 4).write(array);
            holder.kill();
        }
        Step.chunk(setup, 7, 0).write(array);
        assertEquals(7, array.read(setup.chunk(0)).ints()[0]);
    }
}
