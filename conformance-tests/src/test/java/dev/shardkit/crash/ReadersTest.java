package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ZarrArray;
import dev.shardkit.crash.Setup.Checksum;
import dev.shardkit.crash.Setup.Nesting;
import dev.shardkit.crash.Setup.Packing;
import dev.shardkit.crash.Setup.Size;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import dev.shardkit.testkit.internal.Rounds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers beside a writer, in its process and in another: old or new of each inner chunk, no mixture, no error. */
@Timeout(600)
class ReadersTest {
    private static final int WRITES = Rounds.of(12);

    @TempDir
    Path dir;

    private static List<Setup> setups() {
        List<Setup> setups = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            setups.add(new Setup(strategy, IndexLocation.END, Checksum.CRC32C, Packing.RAW, Nesting.FLAT, Size.SMALL));
            setups.add(
                    new Setup(strategy, IndexLocation.START, Checksum.NONE, Packing.ZSTD, Nesting.NESTED, Size.SMALL));
            setups.add(new Setup(strategy, IndexLocation.END, Checksum.NONE, Packing.RAW, Nesting.NESTED, Size.LARGE));
            setups.add(
                    new Setup(strategy, IndexLocation.START, Checksum.CRC32C, Packing.ZSTD, Nesting.FLAT, Size.LARGE));
        }
        return setups;
    }

    @Test
    void readers_besideAWriterOfEveryStrategy_seeOldOrNewOfEachInnerChunk() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try (Child other = Child.start(ConcurrentWorkload.class, "256m")) {
            other.expect("ready");
            for (Setup setup : setups()) {
                Path root = dir.resolve(setup.toString());
                ZarrArray array = setup.create(FileStore.at(root), Durability.ATOMIC);
                new Step(setup, 1, Box.of(setup.shape()), false).write(array);
                other.say("read " + root + " " + setup.number() + " 1");
                other.expect("reads");
                AtomicBoolean stop = new AtomicBoolean();
                CountDownLatch reading = new CountDownLatch(2);
                Future<Integer> reader = pool.submit(() -> read(root, setup, 2, stop, reading));
                Future<Integer> same = pool.submit(() -> read(root, setup, 3, stop, reading));
                try {
                    assertTrue(reading.await(2, TimeUnit.MINUTES));
                    write(setup, array);
                } finally {
                    stop.set(true);
                    other.say("");
                }
                reader.get(); // fails on a mixture
                same.get();
                other.expect("done");
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Reads until the end of the writer, which waits for the first read. */
    private static int read(Path root, Setup setup, long seed, AtomicBoolean stop, CountDownLatch reading) {
        AtomicInteger looks = new AtomicInteger();
        return ConcurrentWorkload.read(FileStore.at(root), setup, seed, () -> {
            if (looks.incrementAndGet() == 2) {
                reading.countDown();
            }
            return looks.get() > 2 && stop.get();
        });
    }

    private static void write(Setup setup, ZarrArray array) {
        Random random = new Random(setup.number());
        for (int version = 2; version < WRITES; version++) {
            if (version % 8 == 0) {
                new Step(setup, version, Box.of(setup.shard()).intersect(array.domain()), false).write(array);
            } else {
                Step.chunk(setup, version, random.nextInt(32)).write(array);
            }
        }
    }
}
