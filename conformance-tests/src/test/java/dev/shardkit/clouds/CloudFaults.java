package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.FaultProxy;
import dev.shardkit.testkit.server.FaultProxy.Fault;
import dev.shardkit.testkit.server.FaultProxy.Request;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A broken network before a real server of a cloud. Of each three exchanges in succession, a random one breaks, so
 * retries help always: every round must succeed. {@code -Dshardkit.rounds=N -Dshardkit.clouds.seed=S} make a longer or
 * another run.
 */
@Timeout(1200)
abstract class CloudFaults {
    private static final int ROUNDS = Rounds.of(1);
    private static final long SEED = Long.getLong("shardkit.clouds.seed", 11);

    private final Bucket bucket;

    CloudFaults(Supplier<Bucket> bucket) {
        this.bucket = bucket.get();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void oneExchangeOfThree_breaks_andAllRoundsAreRight(Fault fault) throws Exception {
        run(fault.name(), fault.ordinal(), random -> fault);
    }

    @Test
    void oneExchangeOfThree_breaksAnyhow_andAllRoundsAreRight() throws Exception {
        Fault[] all = Fault.values();
        run("ANY", all.length, random -> all[random.nextInt(all.length)]);
    }

    private void run(String name, int number, Function<Random, Fault> choice) throws Exception {
        Breaks breaks = new Breaks(new Random(SEED * 100 + number), choice);
        try (FaultProxy proxy = new FaultProxy(bucket.endpoint(), breaks::next);
                Store faulty = bucket.behind(proxy.uri());
                Store direct = bucket.store()) {
            FaultRounds rounds = new FaultRounds(faulty, direct, new Random(SEED + number));
            int right = 0;
            for (int round = 0; round < ROUNDS; round++) {
                right += rounds.next() ? 1 : 0;
            }
            System.out.printf(
                    "%s, %s: %d of %d rounds, %d exchanges, %d of them broken%n",
                    bucket.location().getScheme(), name, right, ROUNDS, proxy.exchanges(), breaks.made);
            assertTrue(proxy.exchanges() > 8 * ROUNDS, "the proxy was hardly asked");
            assertEquals(ROUNDS, right, rounds.failures()::toString);
        }
    }

    /** Chooses what happens to each exchange. */
    private static final class Breaks {
        private final Random random;
        private final Function<Random, Fault> choice;
        private int count;
        private int next;
        private int made;

        Breaks(Random random, Function<Random, Fault> choice) {
            this.random = random;
            this.choice = choice;
        }

        synchronized Fault next(Request asked) {
            int place = count++ % 3;
            if (place == 0) {
                next = random.nextInt(3);
            }
            if (place != next) {
                return Fault.NONE;
            }
            Fault fault = choice.apply(random);
            made += fault == Fault.NONE ? 0 : 1;
            return fault;
        }
    }

    /** Each put is made, its answer is lost, and the retry is refused: the write id tells that it was ours. */
    @Test
    void lostAnswerOfAPut_isRecognized() throws Exception {
        AtomicInteger puts = new AtomicInteger();
        try (FaultProxy proxy = new FaultProxy(
                        bucket.endpoint(),
                        asked -> isPutOfAShard(asked) && puts.incrementAndGet() % 2 == 1
                                ? Fault.LOST_ANSWER
                                : Fault.NONE);
                Store faulty = bucket.behind(proxy.uri());
                Store direct = bucket.store()) {
            FaultRounds.create(direct);
            short[] model = new short[FaultRounds.ELEMENTS];
            try (ZarrArray array = Zarr.openArray(faulty, FaultRounds.PATH, ZarrOptions.defaults())) {
                for (int i = 0; i < 6; i++) {
                    model[i] = (short) (i + 1);
                    array.write(Box.of(new long[] {0, i}, new long[] {1, 1}), new short[] {(short) (i + 1)}, 0);
                }
            }
            assertArrayEquals(model, FaultRounds.elements(direct));
            // one lost answer and one refused retry for each write: none was planned and sent a third time
            assertEquals(12, puts.get());
        }
    }

    /** The retries of the store limit how often a change is sent, whatever makes it. */
    @ParameterizedTest
    @EnumSource(names = {"ERROR_BEFORE", "SLOW_DOWN"})
    void serverThatFailsEachChange_isAskedNoMoreOftenThanTheRetriesAllow(Fault fault) throws Exception {
        AtomicInteger changes = new AtomicInteger();
        AtomicBoolean fails = new AtomicBoolean();
        try (FaultProxy proxy = new FaultProxy(
                        bucket.endpoint(),
                        asked -> fails.get()
                                        && Set.of("PUT", "POST", "DELETE").contains(asked.method())
                                        && changes.incrementAndGet() > 0
                                ? fault
                                : Fault.NONE);
                Store faulty = bucket.behind(proxy.uri());
                Store direct = bucket.store()) {
            FaultRounds.create(direct);
            try (ZarrArray array = Zarr.openArray(faulty, FaultRounds.PATH, ZarrOptions.defaults())) {
                short[] elements = new short[FaultRounds.ELEMENTS];
                Arrays.fill(elements, (short) 7);
                array.write(array.domain(), elements, 0);
                Box one = Box.of(new long[] {0, 0}, new long[] {1, 1});
                array.write(one, new short[] {7}, 0); // the store also asks what the server can do
                Box shard = Box.of(new long[] {0, 0}, new long[] {FaultRounds.SHARD, FaultRounds.SHARD});
                fails.set(true);
                List<Executable> calls = List.of(
                        () -> array.write(one, new short[] {9}, 0),
                        () -> array.write(shard, new short[FaultRounds.SHARD * FaultRounds.SHARD], 0),
                        () -> array.erase(shard),
                        () -> array.changeAttributes(now -> now.with("n", Json.of(1))));
                for (Executable call : calls) {
                    changes.set(0);
                    StoreException e = assertThrows(StoreException.class, call);
                    assertEquals(Bucket.TRIES, changes.get(), e.getMessage());
                    assertTrue(e.getMessage().contains(proxy.uri().toString()), e.getMessage());
                    assertTrue(e.getMessage().contains(fault == Fault.SLOW_DOWN ? "503" : "500"), e.getMessage());
                }
                fails.set(false);
                assertArrayEquals(elements, FaultRounds.elements(direct));
            }
        }
    }

    /**
     * Streams extend an array and writers increment a counter at once, and the answers to 15 percent of all requests
     * are lost: each change is made once. {@code -Dshardkit.rounds=1000} runs more rounds.
     */
    @Test
    @Timeout(4 * 3600)
    void lostAnswers_changeNoDocumentTwice() throws Exception {
        LostAnswerRounds rounds = new LostAnswerRounds(bucket, SEED);
        rounds.run(ROUNDS);
        System.out.println(bucket.location().getScheme() + ", lost answers: " + rounds);
        rounds.check();
    }

    /** A call on a store. */
    @FunctionalInterface
    private interface Call {
        void on(Store store) throws IOException;
    }

    /** The changes that a call waits for on its own thread. */
    enum Change {
        DELETE_ALL(store -> store.find(TreeDeletions.class).orElseThrow().deleteAll("t")),
        COPY(store -> store.find(Copies.class).orElseThrow().copy("t/a", "copied", Durability.ATOMIC));

        private final Call call;

        Change(Call call) {
            this.call = call;
        }
    }

    /** The proxy holds the request of a change until the thread of the call was interrupted and waits again. */
    @ParameterizedTest
    @EnumSource
    void interruptedChange_endsAfterTheServerHasMadeIt(Change change) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch goes = new CountDownLatch(1);
        try (FaultProxy proxy = new FaultProxy(bucket.endpoint(), asked -> {
                    if (!asked.method().equals("GET") && !asked.method().equals("HEAD")) {
                        held.countDown();
                        awaitQuietly(goes);
                    }
                    return Fault.NONE;
                });
                Store slow = bucket.behind(proxy.uri());
                Store direct = bucket.store()) {
            BlockingStore access = BlockingStore.to(direct);
            for (String key : new String[] {"t/a", "t/b", "t/c"}) {
                access.put(key, Content.of(Bytes.of(new byte[] {1})), Condition.ANY, Durability.ATOMIC);
            }
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicBoolean kept = new AtomicBoolean();
            Thread caller = new Thread(() -> {
                try {
                    change.call.on(slow);
                } catch (Throwable e) {
                    thrown.set(e);
                }
                kept.set(Thread.interrupted());
            });
            caller.start();
            awaitQuietly(held);
            caller.interrupt();
            while (caller.isAlive() && (caller.isInterrupted() || caller.getState() != Thread.State.WAITING)) {
                Thread.onSpinWait();
            }
            boolean waits = caller.isAlive();
            goes.countDown();
            caller.join();
            assertTrue(waits, "the call ended while its request was under way");
            assertInstanceOf(StoreException.class, thrown.get());
            assertTrue(kept.get(), "the interrupt is lost");
            assertEquals(
                    change == Change.COPY,
                    access.open(change == Change.COPY ? "copied" : "t/a").isPresent());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(300, TimeUnit.SECONDS), "nothing was sent");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Google's uploads have the key in their body; while the array is only written to, all of them are shards. */
    private static boolean isPutOfAShard(Request asked) {
        return asked.method().equals("PUT") && asked.target().contains("/c/")
                || asked.method().equals("POST") && asked.target().startsWith("/upload/");
    }
}
