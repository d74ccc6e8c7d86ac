package dev.shardkit.region.stream;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.region.resize.GrowthLock;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where slices go: several writers of one array, slices in the order of the calls, several at once. */
@Timeout(300)
class SliceStreamsTest extends SliceStreams {
    @ParameterizedTest
    @ValueSource(strings = {"locks", "conditions"})
    void growing_streamsOfOneHandle_followOneAnother(String kind) {
        Store store = store(kind);
        ZarrArray array = create(store, 0);
        for (int batch = 0; batch < 3; batch++) {
            try (SliceWriter slices = array.slices(0, GROW)) {
                assertEquals(2 * batch, slices.position());
                slices.write(slice(10 * batch), 0);
                slices.write(slice(10 * batch + 1), 0);
            }
        }
        assertEquals(List.of(0, 1, 10, 11, 20, 21), stored(store));
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "conditions"})
    void growing_twoStreamsAtOnce_keepAllSlices(String kind) {
        Store store = store(kind);
        ZarrArray array = create(store, 1);
        ZarrArray other = Zarr.openArray(store, "a", ZarrOptions.defaults());
        try (SliceWriter one = array.slices(0, GROW);
                SliceWriter two = other.slices(0, GROW)) {
            for (int i = 1; i <= 5; i++) {
                one.write(slice(i), 0);
                two.write(slice(10 + i), 0);
            }
            one.flush();
            assertEquals(5, one.committedCount(), "slices of the other stream do not count");
            assertEquals(two.array().shape()[0], two.committed());
        }
        List<Integer> values = stored(store);
        assertEquals(11, values.size());
        assertEquals(
                List.of(1, 2, 3, 4, 5),
                values.stream().filter(v -> v > 0 && v < 10).toList());
        assertEquals(
                List.of(11, 12, 13, 14, 15), values.stream().filter(v -> v > 10).toList());
    }

    /** A remote array grows before all slices of a batch are stored, so its length says less than the stream. */
    @Test
    void failedBatch_isNotCounted_untilItIsRepeated() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("m"));
        create(remote, 0);
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        try (SliceWriter slices = array.slices(0, GROW)) {
            for (int i = 0; i < 8; i++) {
                slices.write(slice(i), 0);
            }
            slices.flush();
            assertEquals(8, slices.committedCount());
            remote.loseAnswers(key ->
                    key.contains("/c/1/") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
            assertThrows(StoreException.class, () -> {
                for (int i = 8; i < 12; i++) {
                    slices.write(slice(i), 0);
                }
                slices.flush();
            });
            assertEquals(List.of(8L, 8L), List.of(slices.committedCount(), slices.committed()));
            assertTrue(slices.array().shape()[0] > 8, "the array grew first");
            remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
        }
        List<Integer> values = stored(remote);
        assertTrue(values.containsAll(List.of(0, 7, 8)), values::toString);
    }

    /** A store whose lock of an array that grows cannot be released once: an error behind a stored batch. */
    private static final class StuckLocks extends ForwardingStore implements Locks {
        private final Locks locks;
        private boolean isStuck = true;

        StuckLocks(Store store) {
            super(store);
            this.locks = store.find(Locks.class).orElseThrow();
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            return ability == Locks.class ? Optional.of(ability.cast(this)) : super.find(ability);
        }

        @Override
        public Lock lock(String array, String key, Duration patience) throws IOException {
            Lock lock = locks.lock(array, key, patience);
            return () -> {
                lock.close();
                if (isStuck && key.equals("a/" + GrowthLock.NAME)) {
                    isStuck = false;
                    throw new IOException("on purpose");
                }
            };
        }
    }

    /** A store that fails once after it has replaced a document with a length of its array. */
    private static final class LateFailure extends ForwardingStore implements BlockingWrites {
        private final BlockingWrites writes;
        private final RuntimeException failure;
        private boolean fails;

        LateFailure(Store store, RuntimeException failure) {
            super(store);
            this.writes = (BlockingWrites) store.find(Writes.class).orElseThrow();
            this.failure = failure;
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            return ability == Writes.class ? Optional.of(ability.cast(this)) : super.find(ability);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            WriteResult result = writes.putNow(key, content, condition, durability);
            if (fails && key.equals("a/zarr.json")) {
                fails = false;
                if (failure instanceof CancellationException) {
                    Thread.currentThread().interrupt(); // as an interrupt that closes a file leaves it
                }
                throw failure;
            }
            return result;
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            return writes.deleteNow(key, condition);
        }
    }

    /** The document was replaced, but the folder could not be forced, or the thread was interrupted. */
    @ParameterizedTest
    @ValueSource(strings = {"PIPELINED", "BUFFERED", "APPEND"})
    void failureAfterTheArrayGrew_storesNoSliceTwice(SliceStrategy strategy) {
        for (RuntimeException failure :
                List.of(new StoreException("on purpose", null), new CancellationException("on purpose"))) {
            LateFailure store = new LateFailure(MemoryStore.create(), failure);
            ZarrArray array = create(store, 0);
            try (SliceWriter slices = array.slices(0, GROW.withStrategy(strategy))) {
                assertEquals(strategy, slices.strategy());
                slices.write(slice(1), 0);
                store.fails = true;
                try {
                    slices.flush();
                    assertEquals(SliceStrategy.PIPELINED, strategy, "only work in the background hides the error");
                } catch (StoreException | CancellationException e) {
                    assertEquals(failure.getClass(), e.getClass());
                }
                Thread.interrupted();
                assertFalse(store.fails);
                assertEquals(List.of(1L, 1L), List.of(slices.committedCount(), slices.committed()));
                slices.flush();
                slices.write(slice(2), 0);
                slices.write(slice(3), 0);
            }
            assertEquals(List.of(1, 2, 3), stored(store));
        }
    }

    /** The document is stored, so the stream must not reserve places for the same slices again. */
    @Test
    void interruptWhileARemoteArrayGrows_leavesNoGap() {
        ExecutorService requests = Executors.newCachedThreadPool();
        try {
            for (int round = 0; round < 20; round++) {
                RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("m"), requests, 16);
                create(remote, 0);
                Thread caller = Thread.currentThread();
                AtomicBoolean interrupts = new AtomicBoolean();
                remote.loseAnswers(key -> {
                    if (key.equals("a/zarr.json") && interrupts.getAndSet(false)) {
                        caller.interrupt();
                        while (caller.isInterrupted()) { // until the call has seen it
                            Thread.onSpinWait();
                        }
                    }
                    return RemoteAdapter.Answer.COMES;
                });
                ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults());
                try (SliceWriter slices = array.slices(0, GROW.withStrategy(SliceStrategy.BUFFERED))) {
                    slices.write(slice(1), 0);
                    interrupts.set(true);
                    try {
                        slices.flush();
                    } catch (CancellationException e) {
                        assertTrue(slices.committedCount() == 0, "the slice is not stored yet");
                    }
                    assertTrue(Thread.interrupted(), "the caller's interrupt status");
                    slices.write(slice(2), 0);
                }
                assertEquals(List.of(1, 2), stored(remote));
            }
        } finally {
            requests.shutdownNow();
        }
    }

    /** The stream appends at the stored end: what it has stored already would follow a second time. */
    @ParameterizedTest
    @ValueSource(strings = {"PIPELINED", "BUFFERED", "APPEND"})
    void failureBehindAStoredBatch_storesNoSliceTwice(SliceStrategy strategy) {
        Store store = new StuckLocks(MemoryStore.create());
        ZarrArray array = create(store, 0);
        AtomicInteger released = new AtomicInteger();
        try (SliceWriter slices = array.slices(0, GROW.withStrategy(strategy))) {
            assertEquals(strategy, slices.strategy());
            slices.writeOwned(nd(array, 1), released::incrementAndGet); // half an inner chunk, so the flush stores it
            try {
                slices.flush();
                assertEquals(
                        SliceStrategy.PIPELINED, strategy, "only work in the background ends in spite of the error");
            } catch (StoreException e) {
                assertTrue(e.getMessage().contains("on purpose"), e.getMessage());
            }
            assertEquals(List.of(1L, 1L), List.of(slices.committedCount(), slices.committed()));
            slices.flush();
            assertEquals(1, released.get());
            slices.write(slice(2), 0);
            slices.write(slice(3), 0);
        }
        assertEquals(List.of(1, 2, 3), stored(store));
    }

    /** A call for each of so many slices would not end. */
    @ParameterizedTest
    @CsvSource({
        "locks, PIPELINED",
        "locks, BUFFERED",
        "locks, APPEND",
        "conditions, PIPELINED",
        "conditions, BUFFERED",
    })
    void skippedSlices_mayBeAnyNumber(String kind, SliceStrategy strategy) {
        Store store = store(kind);
        ZarrArray array = create(store, 0);
        long many = 1L << 50;
        try (SliceWriter slices = array.slices(0, GROW.withStrategy(strategy).withFlushEvery(3))) {
            slices.write(slice(1), 0);
            slices.skip(many);
            assertEquals(many + 1, slices.position());
            slices.write(slice(2), 0);
            slices.flush();
            assertEquals(List.of(many + 2, many + 2), List.of(slices.committedCount(), slices.committed()));
        }
        ZarrArray stored = array.refresh();
        assertEquals(many + 2, stored.shape()[0]);
        assertEquals(List.of(1L, 0L, 0L, 2L), firsts(stored, 0, 1, many, many + 1));
        try (SliceWriter again = stored.slices(0, SliceOptions.defaults().withStrategy(strategy))) {
            again.skip(many);
            again.write(slice(3), 0);
            again.skip(1);
        }
        assertEquals(List.of(0L, 0L, 3L, 0L), firsts(stored, 0, 1, many, many + 1));
        long[] all = {many, 4};
        try (SliceWriter region = stored.slices(0, GROW.withStrategy(strategy).withRegion(Box.of(all)))) {
            region.skip(2 * many);
        }
        assertEquals(2 * many, array.refresh().shape()[0]);
        assertEquals(List.of(0L), firsts(array.refresh(), many));
    }

    /** The end of the last whole shard below 2^63 is the longest array. */
    @ParameterizedTest
    @ValueSource(strings = {"PIPELINED", "BUFFERED"})
    void skippedSlices_behindTheLongestArray_areRefused(SliceStrategy strategy) {
        ZarrArray array = create(store("conditions"), 0);
        SliceWriter slices = array.slices(0, GROW.withStrategy(strategy));
        slices.write(slice(1), 0);
        for (long count : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE - 3}) {
            assertThrows(IllegalArgumentException.class, () -> slices.skip(count));
            assertEquals(1, slices.position());
        }
        slices.skip(3);
        slices.close();
        assertEquals(4, array.refresh().shape()[0]);
    }

    /** Many roles of buckets may get and put objects, but not list them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void skippedSlices_needNoListing(boolean isRefused) {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("m"));
        Store store = new Store() {
            @Override
            public String describe() {
                return remote.describe();
            }

            @Override
            public Reads reads() {
                return remote.reads();
            }

            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                if (ability != Listings.class) {
                    return remote.find(ability);
                }
                Listings refusing = (prefix, depth) ->
                        () -> CompletableFuture.failedFuture(new StoreException("403: listing is forbidden"));
                return isRefused ? Optional.of(ability.cast(refusing)) : Optional.empty();
            }
        };
        ArraySpec spec = ArraySpec.of("uint8", 0, 9, 9).withShardShape(2, 1, 1).withChunkShape(1, 1, 1);
        ZarrArray array = Zarr.createArray(remote, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        SliceWriter slices = Zarr.openArray(store, "a", ZarrOptions.defaults()).slices(0, GROW);
        byte[] ones = new byte[81];
        Arrays.fill(ones, (byte) 1);
        slices.write(ones, 0);
        slices.write(ones, 0);
        slices.skip(2);
        slices.write(ones, 0);
        if (!isRefused) {
            assertThrows(UnsupportedException.class, () -> slices.skip(1L << 20));
            assertEquals(5, slices.position());
        }
        slices.close();
        NdArray all = array.refresh().read(array.refresh().domain());
        assertEquals(5, all.shape()[0]);
        for (int z = 0; z < 5; z++) {
            assertEquals(z == 2 || z == 3 ? 0 : 1, all.longAt(z, 8, 8), "slice " + z);
        }
    }

    private static List<Long> firsts(ZarrArray array, long... slices) {
        return LongStream.of(slices)
                .mapToObj(z -> array.read(box(at(z, 0), 1, 1)).longAt(0, 0))
                .toList();
    }

    /**
     * Skipped slices replace shards that other programs left behind the end. The first attempt reserves their place and
     * then fails; the slices wait, and later calls store them there.
     */
    @ParameterizedTest
    @CsvSource({"locks, PIPELINED", "locks, BUFFERED", "conditions, PIPELINED", "conditions, BUFFERED"})
    void skippedSlices_wait_afterAFailure(String kind, SliceStrategy strategy) {
        RemoteAdapter remote = RemoteAdapter.of(store(kind));
        ZarrArray created = create(remote, 48);
        created.write(created.domain(), new int[48 * 4], 0);
        for (int z = 0; z < 48; z++) {
            created.write(box(at(z, 0), 1, 4), slice(100 + z), 0);
        }
        created.resize(at(3, 4), ResizePolicy.KEEP);
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        SliceWriter slices = array.slices(0, GROW.withStrategy(strategy));
        assertEquals(3, slices.position());
        slices.write(slice(1), 0);
        slices.skip(4);
        slices.flush();
        remote.loseAnswers(
                key -> key.contains("/c/2/") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
        assertThrows(StoreException.class, () -> {
            slices.skip(24);
            slices.flush();
        });
        assertEquals(List.of(32L, 8L), List.of(slices.position(), slices.committed()));
        assertThrows(StoreException.class, slices::flush);
        assertThrows(StoreException.class, () -> {
            slices.write(slice(8), 0);
            slices.flush();
        });
        remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
        slices.write(slice(9), 0);
        slices.close();
        List<Integer> values = stored(remote);
        assertEquals(List.of(100, 101, 102, 1), values.subList(0, 4));
        assertEquals(Collections.nCopies(28, 0), values.subList(4, 32));
        assertEquals(9, values.get(values.size() - 1));
        assertEquals(slices.position(), values.size());
    }

    /** The slice that completes a chunk is accepted, although storing the chunk fails; so its memory is still used. */
    @Test
    void ownedSlice_isReleasedWhenItIsStored_notWhenStoringFails() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("m"));
        create(remote, 0);
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        AtomicInteger released = new AtomicInteger();
        remote.loseAnswers(
                key -> key.contains("/c/") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
        try (SliceWriter slices = array.slices(0, GROW.withStrategy(SliceStrategy.BUFFERED))) {
            assertThrows(StoreException.class, () -> {
                while (slices.position() < 100) {
                    slices.writeOwned(nd(array, 1), released::incrementAndGet);
                }
            });
            assertEquals(0, released.get());
            long accepted = slices.position();
            remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
            slices.flush();
            assertEquals(accepted, released.get());
        }
    }

    /** The next slice stores the ones that wait, and begins another chunk. */
    @Test
    void sliceAfterAFailedBatch_isAccepted() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("m"));
        create(remote, 0);
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        remote.loseAnswers(
                key -> key.contains("/c/") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
        try (SliceWriter slices = array.slices(0, GROW.withStrategy(SliceStrategy.BUFFERED))) {
            assertThrows(StoreException.class, () -> {
                while (slices.position() < 100) {
                    slices.write(nd(array, 1));
                }
            });
            long accepted = slices.position();
            remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
            slices.write(nd(array, 1));
            assertEquals(accepted + 1, slices.position());
            slices.flush();
            assertEquals(accepted + 1, array.refresh().shape()[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "conditions"})
    void growing_threadsOfOneArray_loseNothing(String kind) throws Exception {
        Store store = store(kind);
        create(store, 0);
        int threads = 4;
        int each = 21;
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int base = 1000 * (t + 1);
            all.add(CompletableFuture.runAsync(
                    () -> {
                        ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults());
                        try (SliceWriter slices = array.slices(0, GROW.withBudgetBytes(3 * 16))) {
                            for (int i = 0; i < each; i++) {
                                slices.write(slice(base + i), 0);
                            }
                        }
                    },
                    r -> new Thread(r).start()));
        }
        for (CompletableFuture<Void> one : all) {
            one.get();
        }
        List<Integer> values = stored(store);
        for (int t = 0; t < threads; t++) {
            int base = 1000 * (t + 1);
            assertEquals(
                    IntStream.range(base, base + each).boxed().toList(),
                    values.stream().filter(v -> v / 1000 == base / 1000).toList());
        }
        assertEquals(threads * each, values.size());
    }

    /** Appends slices to the array in another process. */
    static final class Appender {
        private Appender() {}

        public static void main(String[] args) throws Exception {
            int base = Integer.parseInt(args[1]);
            try (ZarrArray array =
                            Zarr.openArray(args[0], ZarrOptions.defaults().withDurability(Durability.ATOMIC));
                    SliceWriter slices = array.slices(0, GROW.withBudgetBytes(2 * 16))) {
                System.out.println("ready");
                Child.input().readLine();
                for (int i = 0; i < 20; i++) {
                    slices.write(slice(base + i), 0);
                }
            }
            System.out.println("done");
        }
    }

    @Test
    void growing_twoProcesses_loseNothing() {
        create(FileStore.at(dir), 0);
        String folder = dir.resolve("a").toString();
        try (Child one = Child.start(Appender.class, "64m", folder, "1000");
                Child two = Child.start(Appender.class, "64m", folder, "2000")) {
            one.expect("ready");
            two.expect("ready");
            one.say("go");
            two.say("go");
            one.expect("done");
            two.expect("done");
        }
        List<Integer> values = stored(FileStore.at(dir));
        assertEquals(40, values.size());
        assertEquals(
                IntStream.range(1000, 1020).boxed().toList(),
                values.stream().filter(v -> v < 2000).toList());
        assertEquals(
                IntStream.range(2000, 2020).boxed().toList(),
                values.stream().filter(v -> v >= 2000).toList());
    }

    @Test
    void oldHandle_streamsToTheArrayAsItIsStored() {
        Store store = MemoryStore.create();
        ZarrArray old = create(store, 2);
        Zarr.openArray(store, "a", ZarrOptions.defaults()).resize(at(5, 4), ResizePolicy.KEEP);
        try (SliceWriter slices = old.slices(0)) {
            slices.write(IntStream.range(0, 20).map(i -> i / 4 + 1).toArray(), 0);
        }
        assertEquals(List.of(1, 2, 3, 4, 5), stored(store));
        Zarr.openArray(store, "a", ZarrOptions.defaults()).resize(at(1, 4), ResizePolicy.REMOVE);
        try (SliceWriter slices = old.slices(0)) {
            assertThrows(IndexOutOfBoundsException.class, () -> slices.write(new int[8], 0));
        }
    }

    @Test
    void elements_thatAreNoWholeSlices_areRefused_andSeveralAreAllWritten() {
        Store store = MemoryStore.create();
        ZarrArray array = create(store, 0);
        try (SliceWriter slices = array.slices(0, GROW)) {
            slices.write(IntStream.range(0, 9).map(i -> (i + 3) / 4).toArray(), 1); // two slices from place 1 on
            assertEquals(2, slices.position());
            for (int length : new int[] {0, 3, 5, 7, 11}) {
                assertThrows(
                        IllegalArgumentException.class, () -> slices.write(new int[length], 0), "length " + length);
            }
            assertThrows(IllegalArgumentException.class, () -> slices.write(new int[8], 1));
            assertThrows(IllegalArgumentException.class, () -> slices.write(new int[8], 1, 2));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> slices.write(NdArray.of(array.dataType(), at(2, 3), new int[6])));
            slices.write(NdArray.of(
                    array.dataType(),
                    at(3, 4),
                    IntStream.range(12, 24).map(i -> i / 4).toArray()));
            assertEquals(5, slices.position());
            slices.write(IntStream.range(0, 16).map(i -> 6 + i / 4).toArray(), 0, 1);
        }
        assertEquals(List.of(1, 2, 3, 4, 5, 6), stored(store));
    }

    @Test
    void severalSlices_alongTheLastDimension_areCutAsTheirShapeSays() {
        ZarrArray array = Zarr.createArray(
                MemoryStore.create(),
                "a",
                ArraySpec.of("int32", 2, 6).withChunkShape(2, 2),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        int[] all = IntStream.range(0, 12).toArray();
        try (SliceWriter slices = array.slices(1)) {
            slices.write(NdArray.of(array.dataType(), at(2, 5), new int[] {0, 1, 2, 3, 4, 6, 7, 8, 9, 10}));
            slices.write(new int[] {5, 11}, 0);
            assertThrows(IndexOutOfBoundsException.class, () -> slices.write(new int[] {5, 11}, 0));
        }
        assertArrayEquals(all, array.read().ints());
        try (SliceWriter slices = array.slices(1, SliceOptions.defaults().withRegion(box(at(0, 4), 2, 2)))) {
            assertThrows(
                    IndexOutOfBoundsException.class, () -> slices.write(new int[6], 0), "none of the three is taken");
            assertEquals(4, slices.position());
        }
    }
}
