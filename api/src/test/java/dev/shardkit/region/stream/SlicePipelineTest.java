package dev.shardkit.region.stream;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceEstimate;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.Registry;
import dev.shardkit.slices.SliceBacklog;
import dev.shardkit.slices.SliceListener;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices that are encoded and written in the background, into shards 16 slices deep. */
@Timeout(120)
class SlicePipelineTest {
    private static final int DEPTH = 16;
    private static final int LAYER = 4;
    /** A slice of 32 * 32 elements crosses four inner chunks. */
    private static final int COLUMNS = 4;

    private static final int SLICE = 32 * 32 * 2;
    /** The memory for a group of inner chunks, one for each thread, and for what they are encoded to. */
    private static final int GROUPS =
            2 * Math.min(COLUMNS, Runtime.getRuntime().availableProcessors()) * LAYER * 16 * 16 * 2;

    /** The slices for which a budget has room beside the groups. With less, the groups would be smaller. */
    private static final int ROOM = 24;

    private static final int BUDGET = GROUPS + ROOM * SLICE;

    private static final SliceOptions PIPELINED = SliceOptions.defaults().withStrategy(SliceStrategy.PIPELINED);
    private static final SliceOptions GROW = PIPELINED.withGrowth(Growth.GROW);

    @TempDir
    Path dir;

    private final Gate gate = new Gate();

    /** A codec that changes no byte, and encodes only while its gate is open. */
    private static final class Gate implements CodecFactory {
        private final AtomicInteger entered = new AtomicInteger();
        private final AtomicInteger encoded = new AtomicInteger();
        private final CountDownLatch first = new CountDownLatch(1);
        private final Semaphore passed = new Semaphore(0);
        private volatile CountDownLatch open = new CountDownLatch(0);
        private volatile boolean fails;
        /** Each encoding whose number is a multiple of it lacks memory; 0 for none. */
        private volatile int runsOut;

        @Override
        public String name() {
            return "test.gate";
        }

        @Override
        public Codec create(Config config) {
            return new GateCodec(this);
        }

        void close() {
            open = new CountDownLatch(1);
        }

        private Bytes pass(Bytes bytes) {
            entered.incrementAndGet();
            first.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted");
            }
            if (fails) {
                throw new IllegalStateException("the gate fails on purpose");
            }
            if (runsOut > 0 && entered.get() % runsOut == 0) {
                throw new OutOfMemoryError("on purpose");
            }
            encoded.incrementAndGet();
            passed.release();
            return bytes;
        }
    }

    private record GateCodec(Gate gate) implements BytesToBytesCodec {
        @Override
        public String name() {
            return gate.name();
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            return gate.pass(decoded);
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            return encoded;
        }
    }

    private static ArraySpec spec(long depth, Json... codecs) {
        return ArraySpec.of("uint16", depth, 32, 32)
                .withShardShape(DEPTH, 32, 32)
                .withChunkShape(LAYER, 16, 16)
                .withCodecs(codecs)
                .withFillValue(5);
    }

    private static ZarrArray create(Store store, ArraySpec spec, ZarrOptions options) {
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, options.withDurability(Durability.ATOMIC));
    }

    private ZarrArray gated(Store store, long depth) {
        return create(
                store,
                spec(depth, Codecs.bytesLittleEndian(), Codecs.named("test.gate", Json.object())),
                ZarrOptions.defaults()
                        .withRegistry(Registry.builder()
                                .all(Registry.load())
                                .codec(gate)
                                .build()));
    }

    private static short[] slice(int z) {
        short[] slice = new short[SLICE / 2];
        Random random = new Random(z);
        for (int i = 0; i < slice.length; i++) {
            slice[i] = (short) random.nextInt();
        }
        return slice;
    }

    private static void stream(SliceWriter slices, int from, int to) {
        for (int z = from; z < to; z++) {
            slices.write(slice(z), 0);
        }
    }

    private static void assertHolds(ZarrArray array, int first, int from, int to) {
        for (int z = from; z < to; z++) {
            assertArrayEquals(
                    slice(z),
                    array.read(box(at(first + z - from, 0, 0), 1, 32, 32)).shorts(),
                    "slice " + z);
        }
    }

    private static Store store(String kind, Path dir) {
        return switch (kind) {
            case "files" -> FileStore.at(dir);
            case "memory" -> MemoryStore.create();
            case "conditions" -> MemoryStore.conditional("m");
            default -> RemoteAdapter.of(MemoryStore.conditional("m"));
        };
    }

    private static ByteBuffer buffer(ByteOrder order, boolean direct, int from, int to) {
        int bytes = (to - from) * SLICE + 6;
        ByteBuffer buffer = (direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes)).order(order);
        buffer.position(6);
        for (int z = from; z < to; z++) {
            for (short value : slice(z)) {
                buffer.putShort(value);
            }
        }
        return buffer.position(6);
    }

    @ParameterizedTest
    @CsvSource({"PIPELINED, true", "PIPELINED, false", "BUFFERED, true", "IN_PLACE, false"})
    void buffersInAnyOrder_holdSlices(SliceStrategy strategy, boolean direct) {
        ZarrArray array = create(FileStore.at(dir), spec(0, Codecs.bytesLittleEndian()), ZarrOptions.defaults());
        try (SliceWriter slices = array.slices(0, GROW.withStrategy(strategy).withBudgetBytes(1 << 20))) {
            assertEquals(strategy, slices.strategy());
            slices.write(buffer(ByteOrder.BIG_ENDIAN, direct, 0, 3));
            ByteBuffer little = buffer(ByteOrder.LITTLE_ENDIAN, direct, 3, DEPTH);
            slices.write(little);
            assertEquals(6, little.position());
            AtomicInteger released = new AtomicInteger();
            slices.writeOwned(buffer(ByteOrder.BIG_ENDIAN, direct, DEPTH, DEPTH + 3), released::incrementAndGet);
            slices.writeOwned(
                    buffer(ByteOrder.LITTLE_ENDIAN, direct, DEPTH + 3, 2 * DEPTH + 1), released::incrementAndGet);
            slices.flush();
            assertEquals(2, released.get());
            ByteBuffer part = buffer(ByteOrder.LITTLE_ENDIAN, direct, 0, 2).limit(SLICE + 7);
            assertThrows(IllegalArgumentException.class, () -> slices.write(part));
            assertThrows(IllegalArgumentException.class, () -> slices.write(part.position(part.limit())));
        }
        assertHolds(Zarr.openArray(FileStore.at(dir), "a", ZarrOptions.defaults()), 0, 0, 2 * DEPTH + 1);
    }

    /** The array is changed before its inner chunks are encoded, which shows that it was not copied. */
    @ParameterizedTest
    @ValueSource(strings = {"PIPELINED", "BUFFERED"})
    void ownedSlices_areNotCopied_andReleasedWhenTheyAreEncoded(SliceStrategy strategy) {
        ZarrArray array = gated(FileStore.at(dir), 0);
        AtomicInteger released = new AtomicInteger();
        SliceWriter slices = array.slices(0, GROW.withStrategy(strategy).withBudgetBytes(1 << 20));
        short[] first = slice(100);
        slices.writeOwned(NdArray.of(array.dataType(), new long[] {1, 32, 32}, first), released::incrementAndGet);
        slices.write(slice(1), 0);
        System.arraycopy(slice(0), 0, first, 0, first.length);
        short[] two = Arrays.copyOf(slice(2), 2 * 32 * 32);
        System.arraycopy(slice(3), 0, two, 32 * 32, 32 * 32);
        gate.close();
        slices.writeOwned(NdArray.of(array.dataType(), new long[] {2, 32, 32}, two), released::incrementAndGet);
        assertEquals(0, released.get());
        gate.open.countDown();
        stream(slices, 4, 7);
        slices.close();
        assertEquals(2, released.get());
        assertHolds(Zarr.openArray(FileStore.at(dir), "a", options()), 0, 0, 7);
        assertThrows(
                IllegalStateException.class,
                () -> slices.writeOwned(
                        NdArray.of(array.dataType(), new long[] {2, 32, 32}, two), released::incrementAndGet));
        assertEquals(3, released.get(), "released also if it is refused");
        assertThrows(
                IllegalArgumentException.class,
                () -> slices.writeOwned(ByteBuffer.allocate(3), released::incrementAndGet));
        assertEquals(4, released.get());
    }

    @Test
    void layer_isEncoded_whenItsLastSliceIsIn_whileTheCallerGoesOn() throws Exception {
        ZarrArray array = gated(FileStore.at(dir), 0);
        gate.close();
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(GROUPS + 3 * LAYER * SLICE));
        assertEquals(SliceStrategy.PIPELINED, slices.strategy());
        stream(slices, 0, LAYER - 1);
        assertEquals(0, gate.entered.get(), "the layer is not complete");
        stream(slices, LAYER - 1, LAYER);
        gate.first.await();
        stream(slices, LAYER, 3 * LAYER);
        assertEquals(3 * LAYER, slices.position(), "no slice waits for the encoder");
        assertEquals(0, gate.encoded.get());
        assertEquals(new SliceBacklog(3 * LAYER, 3L * LAYER * SLICE, 0, 0), slices.backlog());
        gate.open.countDown();
        stream(slices, 3 * LAYER, DEPTH);
        slices.close();
        assertEquals(DEPTH / LAYER * COLUMNS, gate.encoded.get(), "each inner chunk once");
        assertEquals(DEPTH, slices.committedCount());
        assertHolds(Zarr.openArray(FileStore.at(dir), "a", options()), 0, 0, DEPTH);
    }

    private ZarrOptions options() {
        return ZarrOptions.defaults()
                .withRegistry(
                        Registry.builder().all(Registry.load()).codec(gate).build());
    }

    @Test
    void encodedInnerChunks_areInTheTemporaryFile_beforeTheShardIsComplete() throws Exception {
        ZarrArray array = create(FileStore.at(dir), spec(0, Codecs.bytesLittleEndian()), ZarrOptions.defaults());
        try (SliceWriter slices = array.slices(0, GROW.withBudgetBytes(GROUPS + 6 * SLICE))) {
            stream(slices, 0, DEPTH - 1); // they fit only if inner chunks of the first layer are gone
            List<Path> files = files(dir.resolve("a/c/0/0"));
            assertEquals(1, files.size());
            assertTrue(files.get(0).getFileName().toString().startsWith("__shardkit-tmp-"), files::toString);
            assertTrue(Files.size(files.get(0)) > 0);
            assertEquals(0, slices.committed());
            stream(slices, DEPTH - 1, DEPTH);
        }
        assertEquals(List.of(dir.resolve("a/c/0/0/0")), files(dir.resolve("a/c/0/0")));
        assertHolds(Zarr.openArray(FileStore.at(dir), "a", ZarrOptions.defaults()), 0, 0, DEPTH);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** Lets a test wait until a slice waits. */
    private static final class Full implements SliceListener {
        private final Semaphore full = new Semaphore(0);
        private final List<SliceBacklog> backlogs = new ArrayList<>();
        private final AtomicInteger room = new AtomicInteger();

        @Override
        public void onFull(SliceBacklog backlog) {
            backlogs.add(backlog);
            full.release();
            throw new IllegalStateException("exceptions of listeners are ignored");
        }

        @Override
        public void onSpace(SliceBacklog backlog, long nanos) {
            assertTrue(nanos > 0 && backlog.waitNanos() >= nanos);
            room.incrementAndGet();
        }
    }

    @Test
    void slice_waitsOnlyIfTheBudgetIsFull_andTheListenerLearnsIt() throws Exception {
        ZarrArray array = gated(FileStore.at(dir), 0);
        gate.close();
        Full full = new Full();
        SliceWriter slices = array.slices(0, GROW.withListener(full).withBudgetBytes(BUDGET));
        stream(slices, 0, ROOM);
        assertEquals(0, full.full.availablePermits());
        CompletableFuture<Void> next = CompletableFuture.runAsync(() -> stream(slices, ROOM, ROOM + 1), pool());
        full.full.acquire();
        assertEquals(ROOM, slices.position());
        assertFalse(next.isDone());
        gate.open.countDown();
        next.get();
        slices.close();
        assertEquals(new SliceBacklog(ROOM, (long) ROOM * SLICE, 0, 0), full.backlogs.get(0));
        assertTrue(full.room.get() >= 1 && slices.backlog().waits() >= 1);
        assertEquals(0, slices.backlog().bytes());
        assertHolds(Zarr.openArray(FileStore.at(dir), "a", options()), 0, 0, ROOM + 1);
    }

    /** A remote store that says when it begins to put the shards of an array, and ends when it may. */
    private static final class SlowPuts {
        final RemoteAdapter store = RemoteAdapter.of(MemoryStore.conditional("m"));
        final Semaphore begun = new Semaphore(0);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final List<String> keys = Collections.synchronizedList(new ArrayList<>());

        void begin() {
            store.loseAnswers(key -> {
                if (key.contains("/c/")) {
                    keys.add(key);
                    begun.release();
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return RemoteAdapter.Answer.COMES;
            });
        }
    }

    @Test
    void nextShard_isEncoded_whileAShardIsSent() throws Exception {
        SlowPuts slow = new SlowPuts();
        ZarrArray array = gated(slow.store, 0);
        slow.begin();
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20));
        assertEquals(SliceStrategy.PIPELINED, slices.strategy());
        stream(slices, 0, DEPTH);
        slow.begun.acquire();
        stream(slices, DEPTH, DEPTH + LAYER);
        gate.passed.acquire((DEPTH + LAYER) / LAYER * COLUMNS);
        assertEquals(0, slices.committedCount());
        slow.mayEnd.countDown();
        slices.close();
        assertEquals(List.of("a/c/0/0/0", "a/c/1/0/0"), slow.keys);
        assertHolds(Zarr.openArray(slow.store, "a", options()), 0, 0, DEPTH + LAYER);
    }

    /** The memory of a shard that is being sent is free soon, so a part of the next one is not sent for lack of it. */
    @Test
    void fullBudget_waitsForTheShardThatIsSent_andSendsEachShardOnce() throws Exception {
        SlowPuts slow = new SlowPuts();
        ZarrArray array = gated(slow.store, 0);
        slow.begin();
        Full full = new Full();
        SliceWriter slices =
                array.slices(0, GROW.withListener(full).withBudgetBytes(GROUPS + (DEPTH + 2 * LAYER + 2) * SLICE));
        assertEquals(SliceStrategy.PIPELINED, slices.strategy());
        CompletableFuture<Void> all = CompletableFuture.runAsync(() -> stream(slices, 0, 3 * DEPTH), pool());
        full.full.acquire();
        gate.passed.acquire((DEPTH + 2 * LAYER) / LAYER * COLUMNS);
        slow.begun.acquire();
        slow.mayEnd.countDown();
        all.get();
        slices.close();
        assertEquals(List.of("a/c/0/0/0", "a/c/1/0/0", "a/c/2/0/0"), slow.keys);
        assertHolds(Zarr.openArray(slow.store, "a", options()), 0, 0, 3 * DEPTH);
    }

    private static ExecutorService pool() {
        return Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Test
    void interruptedWait_takesNoSlice_andTheStreamGoesOn() throws Exception {
        ZarrArray array = gated(FileStore.at(dir), 0);
        gate.close();
        Full full = new Full();
        SliceWriter slices = array.slices(0, GROW.withListener(full).withBudgetBytes(BUDGET));
        stream(slices, 0, ROOM);
        gate.first.await();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                stream(slices, ROOM, ROOM + 1);
                ended.complete(new AssertionError("the slice was taken"));
            } catch (RuntimeException e) {
                ended.complete(e);
            }
        });
        waiting.start();
        full.full.acquire();
        waiting.interrupt();
        assertTrue(ended.get() instanceof CancellationException, () -> "found " + ended.join());
        assertEquals(ROOM, slices.position());
        gate.open.countDown();
        stream(slices, ROOM, 2 * DEPTH);
        slices.close();
        assertHolds(Zarr.openArray(FileStore.at(dir), "a", options()), 0, 0, 2 * DEPTH);
    }

    /** A close that was interrupted ends within ten seconds, and stores nothing behind the caller's back. */
    @Test
    @Tag("long")
    void interruptedClose_endsTheWorkInTheBackground() throws Exception {
        ExecutorService pool = pool();
        gated(FileStore.at(dir), 0);
        ZarrArray array = Zarr.openArray(FileStore.at(dir), "a", options().withExecutor(pool));
        gate.close();
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20));
        stream(slices, 0, 2 * DEPTH);
        gate.first.await();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                slices.close();
                ended.complete(new AssertionError("the stream was closed"));
            } catch (RuntimeException e) {
                ended.complete(e);
            }
        });
        closing.start();
        assertTrue(ended.get() instanceof CancellationException, () -> "found " + ended.join());
        gate.open.countDown();
        pool.shutdown();
        assertTrue(pool.awaitTermination(60, TimeUnit.SECONDS));
        assertEquals(0, slices.committedCount());
        assertEquals(2 * DEPTH, slices.position());
        slices.close();
        assertHolds(Zarr.openArray(FileStore.at(dir), "a", options()), 0, 0, 2 * DEPTH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "memory", "conditions", "remote"})
    void failureInTheBackground_isReportedByTheNextCall_andLosesNothing(String kind) throws Exception {
        Store store = store(kind, dir);
        ZarrArray array = gated(store, 0);
        gate.fails = true;
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20));
        assertEquals(SliceStrategy.PIPELINED, slices.strategy());
        stream(slices, 0, LAYER);
        gate.first.await();
        Throwable thrown = assertThrows(Throwable.class, () -> {
            for (int z = LAYER; z < 3 * DEPTH; z++) {
                slices.write(slice(z), 0);
            }
            slices.flush();
        });
        assertTrue(
                Stream.iterate(thrown, t -> t != null, Throwable::getCause)
                        .anyMatch(t -> t.getMessage().contains("on purpose")),
                () -> "found " + thrown);
        assertEquals(0, slices.committedCount());
        int taken = (int) slices.position();
        assertThrows(Throwable.class, slices::flush, "the flush repeats the work");
        gate.fails = false;
        slices.flush();
        assertEquals(taken, slices.committedCount());
        stream(slices, taken, 2 * DEPTH + 1);
        slices.close();
        assertHolds(Zarr.openArray(store, "a", options()), 0, 0, 2 * DEPTH + 1);
    }

    /**
     * What a slice, an inner chunk or a wait has counted is given back when memory runs out in a codec or a listener.
     * The stream's own allocations do not fail here; {@link #memoryThatRunsOut_whenStoredSlicesAreDropped_losesNoSlice}
     * lets one of its steps behind a stored batch fail.
     */
    @ParameterizedTest
    @ValueSource(strings = {"files", "memory", "remote"})
    void memoryThatRunsOut_leavesNoBytesInTheBudget(String kind) {
        ZarrArray array = gated(store(kind, dir), 0);
        AtomicInteger events = new AtomicInteger();
        SliceListener listener = new SliceListener() {
            @Override
            public void onFull(SliceBacklog queue) {
                runOut();
            }

            @Override
            public void onSpace(SliceBacklog queue, long nanos) {
                runOut();
            }

            private void runOut() {
                if (events.incrementAndGet() % 2 == 0) {
                    throw new OutOfMemoryError("on purpose");
                }
            }
        };
        int budget = GROUPS + (2 * LAYER + (kind.equals("files") ? 0 : DEPTH)) * SLICE;
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(budget).withListener(listener));
        assertEquals(SliceStrategy.PIPELINED, slices.strategy());
        AtomicInteger released = new AtomicInteger();
        int owned = 0;
        int refused = 0;
        for (int round = 0; round < 20; round++) {
            gate.runsOut = 1 + round % 5;
            for (int i = 0; i < 3 * DEPTH; i++) {
                try {
                    if (i % 2 == 0) {
                        owned++;
                        slices.writeOwned(
                                ByteBuffer.wrap(bytes(slice((int) slices.position()))), released::incrementAndGet);
                    } else {
                        slices.write(slice((int) slices.position()), 0);
                    }
                } catch (OutOfMemoryError e) {
                    refused++;
                }
            }
            gate.runsOut = 0;
            flushAtLast(slices);
            assertEquals(0, slices.backlog().bytes(), "round " + round);
            assertEquals(owned, released.get(), "round " + round);
        }
        assertTrue(refused > 10, "too few slices met the failure: " + refused);
        assertTrue(events.get() > 10, "too few slices waited: " + events);
        long end = slices.position();
        slices.close();
        assertHolds(array.refresh(), 0, 0, (int) end);
    }

    /**
     * The owner's action runs out of memory when the stream drops a stored slice, so the slice's layer stays. A gap
     * that follows must not become a part of that layer's batch, and the memory of other owners is released too.
     */
    @ParameterizedTest
    @ValueSource(strings = {"files", "memory", "remote"})
    void memoryThatRunsOut_whenStoredSlicesAreDropped_losesNoSlice(String kind) {
        Store store = store(kind, dir);
        create(store, spec(0, Codecs.bytesLittleEndian()), ZarrOptions.defaults());
        ZarrArray array = Zarr.openArray(
                store,
                "a",
                ZarrOptions.defaults()
                        .withExecutor(
                                task -> { // so that the flush stores the slices itself
                                    throw new RejectedExecutionException("on purpose");
                                }));
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20));
        assertEquals(SliceStrategy.PIPELINED, slices.strategy());
        stream(slices, 0, DEPTH - 2);
        slices.flush();
        AtomicInteger released = new AtomicInteger();
        // The rest of an inner chunk that is stored: these slices are written as elements, and dropped afterwards.
        slices.writeOwned(ByteBuffer.wrap(bytes(slice(DEPTH - 2))), () -> {
            throw new OutOfMemoryError("on purpose");
        });
        slices.writeOwned(ByteBuffer.wrap(bytes(slice(DEPTH - 1))), released::incrementAndGet);
        assertThrows(OutOfMemoryError.class, slices::flush);
        assertEquals(DEPTH, slices.committedCount());
        assertEquals(1, released.get());
        slices.skip(DEPTH);
        stream(slices, 2 * DEPTH, 2 * DEPTH + 3);
        slices.flush();
        assertEquals(new SliceBacklog(0, 0, 0, 0), slices.backlog());
        slices.close();
        ZarrArray stored = Zarr.openArray(store, "a", ZarrOptions.defaults());
        assertEquals(2 * DEPTH + 3, stored.shape()[0]);
        assertHolds(stored, 0, 0, DEPTH);
        assertHolds(stored, 2 * DEPTH, 2 * DEPTH, 2 * DEPTH + 3);
        short[] gap = stored.read(box(at(DEPTH, 0, 0), DEPTH, 32, 32)).shorts();
        short[] fill = new short[gap.length];
        Arrays.fill(fill, (short) 5);
        assertArrayEquals(fill, gap);
    }

    private static byte[] bytes(short[] slice) {
        ByteBuffer bytes = ByteBuffer.allocate(SLICE);
        bytes.asShortBuffer().put(slice);
        return bytes.array();
    }

    /** Flushes; failures of the background are reported before. */
    private static void flushAtLast(SliceWriter slices) {
        try {
            slices.flush();
        } catch (OutOfMemoryError e) {
            slices.flush();
        }
    }

    @Test
    @SuppressWarnings("try")
    void shardThatCannotBeStored_waits_andIsStoredByALaterCall() throws Exception {
        Store store = FileStore.at(dir);
        ZarrArray array = create(store, spec(0, Codecs.bytesLittleEndian(), Codecs.zstd(3)), ZarrOptions.defaults())
                .with(o -> o.withLockPatience(Duration.ZERO));
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20));
        try (Locks.Lock held = FileStore.at(dir).lock("a", "a/c/0/0/0", Duration.ZERO)) {
            stream(slices, 0, DEPTH);
            StoreException thrown = assertThrows(StoreException.class, () -> {
                for (int z = DEPTH; true; z++) {
                    slices.write(slice(z), 0);
                }
            });
            assertTrue(thrown.getMessage().contains("the slice is not taken"), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("0 slices are stored"), thrown.getMessage());
            assertThrows(StoreException.class, slices::flush);
            assertEquals(0, slices.committedCount());
        }
        int taken = (int) slices.position();
        stream(slices, taken, taken + 3);
        slices.close();
        assertEquals(taken + 3, slices.committedCount());
        assertHolds(Zarr.openArray(store, "a", ZarrOptions.defaults()), 0, 0, taken + 3);
    }

    /** Waits until slices are committed, at most two minutes. */
    private static void awaitCommitted(SliceWriter slices, long expected) {
        long start = System.nanoTime();
        while (slices.committed() < expected && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(120)) {
            Thread.onSpinWait();
        }
        assertEquals(expected, slices.committed());
    }

    @ParameterizedTest
    @CsvSource({"PIPELINED, 3", "PIPELINED, 4", "BUFFERED, 3"})
    void flushEverySoManySlices_storesThem_withoutAFlush(SliceStrategy strategy, int every) {
        Store store = FileStore.at(dir);
        ZarrArray array = create(store, spec(0, Codecs.bytesLittleEndian(), Codecs.zstd(3)), ZarrOptions.defaults());
        SliceOptions options =
                GROW.withStrategy(strategy).withBudgetBytes(1 << 20).withFlushEvery(every);
        try (SliceWriter slices = array.slices(0, options)) {
            assertEquals(strategy, slices.strategy());
            for (int z = 0; z < 2 * DEPTH; z += every) {
                stream(slices, z, z + every);
                awaitCommitted(slices, z + every);
                assertHolds(Zarr.openArray(store, "a", ZarrOptions.defaults()), z, z, z + every);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PIPELINED", "BUFFERED"})
    void flushAfterATime_storesSlices_alsoIfNoOtherArrives(SliceStrategy strategy) {
        Store store = FileStore.at(dir);
        ZarrArray array = create(store, spec(0, Codecs.bytesLittleEndian(), Codecs.zstd(3)), ZarrOptions.defaults());
        SliceOptions options =
                GROW.withStrategy(strategy).withBudgetBytes(1 << 20).withFlushAfter(Duration.ofMillis(1));
        SliceWriter slices = array.slices(0, options);
        stream(slices, 0, 3);
        awaitCommitted(slices, 3);
        stream(slices, 3, 5);
        awaitCommitted(slices, 5);
        assertHolds(Zarr.openArray(store, "a", ZarrOptions.defaults()), 0, 0, 5);
        stream(slices, 5, 6);
        slices.close();
        assertHolds(Zarr.openArray(store, "a", ZarrOptions.defaults()), 0, 0, 6);
    }

    /** A flush that fails leaves an incomplete layer in the middle of what the next one stores. */
    @Test
    @SuppressWarnings("try")
    void flushesThatFail_leaveIncompleteLayers_whichAreStoredTogether() throws Exception {
        Store store = FileStore.at(dir);
        ZarrArray array = create(store, spec(DEPTH, Codecs.bytesLittleEndian(), Codecs.zstd(3)), ZarrOptions.defaults())
                .with(o -> o.withLockPatience(Duration.ZERO));
        SliceWriter slices = array.slices(0, PIPELINED.withBudgetBytes(1 << 20));
        try (Locks.Lock held = FileStore.at(dir).lock("a", "a/c/0/0/0", Duration.ZERO)) {
            stream(slices, 0, LAYER + 3);
            assertThrows(StoreException.class, slices::flush);
            for (int z = LAYER + 3; slices.position() < 2 * LAYER + 2; z = (int) slices.position()) {
                try {
                    slices.write(slice(z), 0);
                } catch (StoreException e) {
                    continue; // the background tried again, and the slice is not taken
                }
            }
            assertThrows(StoreException.class, slices::flush);
            assertEquals(0, slices.committedCount());
        }
        slices.flush();
        assertEquals(2 * LAYER + 2, slices.committedCount());
        assertHolds(array, 0, 0, 2 * LAYER + 2);
        stream(slices, 2 * LAYER + 2, DEPTH);
        slices.close();
        assertHolds(array, 0, 0, DEPTH);
    }

    /** The other stream extends the array after inner chunks were encoded for the place that it takes. */
    @ParameterizedTest
    @CsvSource({"files, 3", "files, 4", "memory, 3", "conditions, 5", "remote, 3"})
    void slicesThatOtherStreamsMove_keepTheirElements(String kind, int moved) {
        Store store = store(kind, dir);
        ZarrArray array = create(store, spec(0, Codecs.bytesLittleEndian(), Codecs.zstd(3)), ZarrOptions.defaults());
        ZarrArray other = Zarr.openArray(store, "a", ZarrOptions.defaults());
        try (SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20))) {
            assertEquals(SliceStrategy.PIPELINED, slices.strategy());
            stream(slices, 0, DEPTH - 2);
            try (SliceWriter others = other.slices(0, GROW.withBudgetBytes(1 << 20))) {
                stream(others, 100, 100 + moved);
            }
            stream(slices, DEPTH - 2, 3 * DEPTH);
            slices.flush();
            assertEquals(3 * DEPTH, slices.committedCount());
            assertEquals(moved + 3 * DEPTH, slices.position());
        }
        ZarrArray stored = Zarr.openArray(store, "a", ZarrOptions.defaults());
        assertHolds(stored, 0, 100, 100 + moved);
        assertHolds(stored, moved, 0, 3 * DEPTH);
    }

    @Test
    void layersOfFillValues_areNotStored() throws IOException {
        Log log = new Log();
        ZarrArray array = log.array(dir, spec(3 * DEPTH, Codecs.bytesLittleEndian()));
        short[] fill = new short[SLICE / 2];
        Arrays.fill(fill, (short) 5);
        try (SliceWriter slices = array.slices(0, PIPELINED.withBudgetBytes(1 << 20))) {
            assertEquals(SliceStrategy.PIPELINED, slices.strategy());
            for (int z = 0; z < 3 * DEPTH; z++) {
                slices.write(z < DEPTH || z == 2 * DEPTH + 5 ? slice(z) : fill, 0);
            }
        }
        assertEquals(List.of("write a/c/0/0/0", "write a/c/2/0/0"), log.of("write a/c"));
        long index = DEPTH / LAYER * COLUMNS * 16 + 4;
        assertEquals((long) LAYER * SLICE + index, Files.size(dir.resolve("a/c/2/0/0")), "one layer");
        assertHolds(array, 0, 0, DEPTH);
        assertHolds(array, 2 * DEPTH + 5, 2 * DEPTH + 5, 2 * DEPTH + 6);
        assertArrayEquals(fill, array.read(box(at(20, 0, 0), 1, 32, 32)).shorts());
        assertArrayEquals(
                fill, array.read(box(at(2 * DEPTH + 6, 0, 0), 1, 32, 32)).shorts());
    }

    /**
     * Skipped slices: a whole shard and more, half a layer, and the end. Stored elements give way to the fill value.
     */
    @ParameterizedTest
    @CsvSource({"files, PIPELINED", "memory, PIPELINED", "remote, PIPELINED", "files, BUFFERED", "files, IN_PLACE"})
    void skippedSlices_areFillValues_andTakeNoBytes(String kind, SliceStrategy strategy) throws IOException {
        Store store = store(kind, dir);
        ZarrArray array = create(store, spec(4 * DEPTH, Codecs.bytesLittleEndian()), ZarrOptions.defaults());
        short[] old = new short[4 * DEPTH * SLICE / 2];
        array.write(array.domain(), old, 0);
        AtomicInteger waits = new AtomicInteger();
        SliceListener counting = new SliceListener() {
            @Override
            public void onFull(SliceBacklog backlog) {
                waits.incrementAndGet();
            }
        };
        long budget = strategy == SliceStrategy.PIPELINED && kind.equals("files") ? GROUPS + 6 * SLICE : 1 << 20;
        try (SliceWriter slices = array.slices(
                0, PIPELINED.withStrategy(strategy).withBudgetBytes(budget).withListener(counting))) {
            assertEquals(strategy, slices.strategy());
            stream(slices, 0, 2);
            slices.skip(0);
            slices.skip(LAYER / 2);
            stream(slices, LAYER, LAYER + 1);
            slices.skip(2 * DEPTH);
            assertEquals(LAYER + 1 + 2 * DEPTH, slices.position());
            stream(slices, LAYER + 1 + 2 * DEPTH, LAYER + 3 + 2 * DEPTH);
            assertThrows(IndexOutOfBoundsException.class, () -> slices.skip(Long.MAX_VALUE));
            assertThrows(IllegalArgumentException.class, () -> slices.skip(-1));
            slices.skip(4 * DEPTH - slices.position());
        }
        assertEquals(0, waits.get(), "skipped slices take no memory");
        ZarrArray stored = Zarr.openArray(store, "a", ZarrOptions.defaults());
        short[] fill = new short[SLICE / 2];
        Arrays.fill(fill, (short) 5);
        for (int z = 0; z < 4 * DEPTH; z++) {
            boolean isWritten = z < 2 || z == LAYER || z > LAYER + 2 * DEPTH && z < LAYER + 3 + 2 * DEPTH;
            assertArrayEquals(
                    isWritten ? slice(z) : fill,
                    stored.read(box(at(z, 0, 0), 1, 32, 32)).shorts(),
                    "slice " + z);
        }
        if (kind.equals("files") && strategy == SliceStrategy.PIPELINED) {
            assertFalse(Files.exists(dir.resolve("a/c/1/0/0")), "no shard of fill values");
            assertEquals(
                    LAYER * SLICE + DEPTH / LAYER * COLUMNS * 16 + 4,
                    Files.size(dir.resolve("a/c/2/0/0")),
                    "one layer");
        }
    }

    /** Slices are skipped while a store does not answer. They know no budget, so they take next to no memory. */
    @Test
    void skippedSlices_takeNoMemoryForEachInnerChunk() throws Exception {
        SlowPuts slow = new SlowPuts();
        ArraySpec spec =
                ArraySpec.of("uint8", 0, 64, 64).withShardShape(2, 64, 64).withChunkShape(1, 1, 1);
        ZarrArray array = Zarr.createArray(
                slow.store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults().withExecutor(pool()));
        slow.begin();
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 24));
        assertEquals(SliceStrategy.PIPELINED, slices.strategy());
        byte[] ones = new byte[64 * 64];
        Arrays.fill(ones, (byte) 1);
        slices.write(ones, 0);
        slices.write(ones, 0);
        slow.begun.acquire();
        slices.skip(1); // so that no call skips whole shards
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        for (int i = 0; i < 250; i++) {
            slices.skip(2);
        }
        long bytes = (threads.getThreadAllocatedBytes(id) - before) / 500;
        assertTrue(bytes < 64 * 64, "a byte for each inner chunk is too much, found " + bytes);
        slow.mayEnd.countDown();
        slices.close();
        assertEquals(503, array.refresh().shape()[0]);
        NdArray end = array.refresh().read(box(at(1, 63, 62), 502, 1, 2));
        assertEquals(1, end.longAt(0, 0, 1));
        assertEquals(0, end.longAt(1, 0, 1));
        assertEquals(0, end.longAt(501, 0, 1));
    }

    /** A shard that is being stored when a close fails is the last one. */
    @Test
    void closeThatFails_storesNoFurtherShard() throws Exception {
        CountDownLatch stores = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        StoreListener holding = new StoreListener() {
            @Override
            public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
                if (key.contains("/c/0/")) {
                    stores.countDown();
                    awaitUninterruptibly(mayEnd);
                }
            }
        };
        Store store = MemoryStore.conditional("m");
        ExecutorService pool = pool();
        gated(store, 0);
        ZarrArray array =
                Zarr.openArray(store, "a", options().withExecutor(pool).withListener(holding));
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20));
        stream(slices, 0, 3 * DEPTH);
        stores.await();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                slices.close();
                ended.complete(new AssertionError("the stream was closed"));
            } catch (RuntimeException e) {
                ended.complete(e);
            }
        });
        closing.start();
        assertTrue(ended.get() instanceof CancellationException, () -> "found " + ended.join());
        mayEnd.countDown();
        pool.shutdown();
        assertTrue(pool.awaitTermination(60, TimeUnit.SECONDS));
        assertTrue(slices.committedCount() <= DEPTH, "found " + slices.committedCount());
    }

    /** Waits, and forgets that the thread was interrupted. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // this work cannot be cancelled
            }
        }
    }

    /** Each shard is written once, also behind a flush that ends with a shard; nothing is read. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachShard_isWrittenOnce(boolean compressed) {
        Log log = new Log();
        ZarrArray array = log.array(
                dir,
                compressed
                        ? spec(40, Codecs.bytesLittleEndian(), Codecs.zstd(3))
                        : spec(40, Codecs.bytesLittleEndian()));
        log.clear();
        try (SliceWriter slices = array.slices(0, PIPELINED.withBudgetBytes(1 << 20))) {
            stream(slices, 0, DEPTH);
            slices.flush();
            stream(slices, DEPTH, 40);
        }
        assertEquals(List.of("write a/c/0/0/0", "write a/c/1/0/0", "write a/c/2/0/0"), log.of("write"));
        assertEquals(List.of(), log.of("request"));
        assertHolds(array, 0, 0, 40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "one", "never", "refuses"})
    void anyExecutor_makesTheCallsEnd(String threads) {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            Store store = FileStore.at(dir);
            create(store, spec(0, Codecs.bytesLittleEndian(), Codecs.zstd(3)), ZarrOptions.defaults());
            ZarrOptions options = ZarrOptions.defaults();
            ZarrArray array = Zarr.openArray(
                    store,
                    "a",
                    options.withExecutor(
                            switch (threads) {
                                case "direct" -> Runnable::run;
                                case "one" -> one;
                                case "never" -> task -> {};
                                default ->
                                    task -> {
                                        throw new RejectedExecutionException("on purpose");
                                    };
                            }));
            Runnable writes = () -> {
                try (SliceWriter slices = array.slices(0, GROW.withBudgetBytes(BUDGET))) {
                    assertEquals(SliceStrategy.PIPELINED, slices.strategy());
                    stream(slices, 0, 2 * DEPTH + 3);
                    slices.flush();
                    stream(slices, 2 * DEPTH + 3, 3 * DEPTH);
                }
            };
            if (threads.equals("one")) {
                CompletableFuture.runAsync(writes, one).get(120, TimeUnit.SECONDS);
            } else {
                CompletableFuture.runAsync(writes, pool()).get(120, TimeUnit.SECONDS);
            }
            assertHolds(Zarr.openArray(store, "a", ZarrOptions.defaults()), 0, 0, 3 * DEPTH);
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            one.shutdownNow();
        }
    }

    /** Streams slices and says how many are flushed, until it is killed. */
    static final class Streamer {
        private Streamer() {}

        public static void main(String[] args) throws IOException {
            ZarrArray array = Zarr.openArray(
                    FileStore.at(Path.of(args[0])), "a", ZarrOptions.defaults().withDurability(Durability.ATOMIC));
            SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20));
            System.out.println("strategy " + slices.strategy());
            int step = Integer.parseInt(args[1]);
            for (int z = (int) slices.position(); true; z += step) {
                stream(slices, z, z + step);
                slices.flush();
                System.out.println("flushed " + (z + step));
            }
        }
    }

    @Test
    void kill_losesNoSliceThatWasFlushed_andTheStreamReopensWhereItStopped() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Store store = FileStore.at(dir);
        create(store, spec(0, Codecs.bytesLittleEndian(), Codecs.zstd(3)), ZarrOptions.defaults());
        for (int round = 0; round < Rounds.of(3); round++) {
            int flushed = 0;
            try (Child child = Child.start(
                    Streamer.class, "64m", dir.toString(), Integer.toString(1 + random.nextInt(DEPTH + 3)))) {
                child.expect("strategy PIPELINED");
                for (int line = random.nextInt(12); line >= 0; line--) {
                    flushed = Integer.parseInt(child.line().orElseThrow().substring("flushed ".length()));
                }
                child.kill();
                for (var line = child.line(); line.isPresent(); line = child.line()) {
                    flushed = Integer.parseInt(line.get().substring("flushed ".length()));
                }
            }
            ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults());
            int length = (int) array.shape()[0];
            assertTrue(length >= flushed, "flushed " + flushed + ", found " + length + ", seed " + seed);
            assertHolds(array, 0, 0, length);
            try (SliceWriter slices = array.slices(0, GROW.withBudgetBytes(1 << 20))) {
                assertEquals(length, slices.position());
                stream(slices, length, length + 1);
            }
        }
    }

    /** Streams 64 slices of 2 MiB, with a layer of 8 MiB and shards of 128 MiB. */
    static final class LargeStreamer {
        private LargeStreamer() {}

        public static void main(String[] args) {
            ZarrArray array = Zarr.openArray(
                    FileStore.at(Path.of(args[0])), "a", ZarrOptions.defaults().withDurability(Durability.ATOMIC));
            try (SliceWriter slices = array.slices(0, SliceOptions.defaults().withBudgetBytes(20 << 20))) {
                System.out.println("strategy " + slices.strategy());
                for (int z = 0; z < 64; z++) {
                    slices.write(large(z), 0);
                }
            }
            System.out.println("done");
        }
    }

    /** The slices of a stream need more memory outside the heap than there is; files still have theirs. */
    @Test
    void pipeline_usesTheHeap_ifThereIsNoMemoryOutside() {
        ZarrArray array = create(
                FileStore.at(dir),
                ArraySpec.of("uint16", 64, 1024, 1024)
                        .withShardShape(64, 1024, 1024)
                        .withChunkShape(4, 128, 128)
                        .withCodecs(Codecs.bytesLittleEndian()),
                ZarrOptions.defaults());
        try (Child child =
                Child.start(List.of("-XX:MaxDirectMemorySize=12m"), LargeStreamer.class, "64m", dir.toString())) {
            child.expect("strategy PIPELINED");
            child.expect("done");
        }
        for (int z : new int[] {0, 63}) {
            assertArrayEquals(
                    large(z), array.read(box(at(z, 0, 0), 1, 1024, 1024)).shorts(), "slice " + z);
        }
    }

    /** Streams 64 frames of 8 MiB with the default budget. */
    static final class CameraStreamer {
        private CameraStreamer() {}

        public static void main(String[] args) {
            ZarrArray array = Zarr.openArray(
                    FileStore.at(Path.of(args[0])), "a", ZarrOptions.defaults().withDurability(Durability.ATOMIC));
            short[] frame = new short[4 << 20];
            try (SliceWriter slices = array.slices(0, SliceOptions.defaults())) {
                System.out.println("strategy " + slices.strategy());
                for (int z = 0; z < 64; z++) {
                    Arrays.fill(frame, (short) (z + 1));
                    slices.write(frame, 0);
                }
            }
            System.out.println("done");
        }
    }

    @Test
    void framesOfACamera_arePipelinedByDefault_inAHeapOfHalfAGibibyte() {
        ZarrArray array = create(
                FileStore.at(dir),
                ArraySpec.of("uint16", 64, 2048, 2048)
                        .withShardShape(64, 2048, 2048)
                        .withChunkShape(32, 256, 256)
                        .withCodecs(Codecs.bytesLittleEndian()),
                ZarrOptions.defaults());
        try (Child child = Child.start(CameraStreamer.class, "512m", dir.toString())) {
            child.expect("strategy PIPELINED");
            child.expect("done");
        }
        for (int z : new int[] {0, 31, 32, 63}) {
            short[] found = array.read(box(at(z, 1000, 1000), 1, 2, 2)).shorts();
            assertArrayEquals(new short[] {(short) (z + 1), (short) (z + 1), (short) (z + 1), (short) (z + 1)}, found);
        }
    }

    private static short[] large(int z) {
        short[] slice = new short[1 << 20];
        byte[] noise = new byte[2 * slice.length];
        new SplittableRandom(z).nextBytes(noise);
        ByteBuffer.wrap(noise).asShortBuffer().get(slice);
        return slice;
    }

    static List<Boolean> compressions() {
        return Rounds.areMany() ? List.of(true, false) : List.of(true);
    }

    @ParameterizedTest
    @MethodSource("compressions")
    void memory_isBoundedByTheBudget_notByTheShard(boolean compressed) {
        ArraySpec spec = ArraySpec.of("uint16", 64, 1024, 1024)
                .withShardShape(64, 1024, 1024)
                .withChunkShape(4, 128, 128);
        ZarrArray array = create(
                FileStore.at(dir),
                compressed
                        ? spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3))
                        : spec.withCodecs(Codecs.bytesLittleEndian()),
                ZarrOptions.defaults());
        try (Child child = Child.start(LargeStreamer.class, "64m", dir.toString())) {
            child.expect("strategy PIPELINED");
            child.expect("done");
        }
        for (int z : new int[] {0, 7, 8, 63}) {
            assertArrayEquals(
                    large(z), array.read(box(at(z, 0, 0), 1, 1024, 1024)).shorts(), "slice " + z);
        }
    }

    @Test
    void estimate_saysFromWhichBudgetOnSlicesArePipelined() {
        ZarrArray array = create(
                FileStore.at(dir),
                ArraySpec.of("uint16", 0, 2048, 2048)
                        .withShardShape(64, 2048, 2048)
                        .withChunkShape(32, 256, 256)
                        .withCodecs(Codecs.bytesLittleEndian()),
                ZarrOptions.defaults());
        SliceEstimate little = GROW.withBudgetBytes(64 << 20).estimate(array, 0);
        assertEquals(SliceStrategy.IN_PLACE, little.strategy());
        long frame = 8 << 20;
        assertTrue(little.pipelineBytes().orElseThrow() >= 34 * frame, little::toString);
        long more = little.smoothBytes().orElseThrow() - little.pipelineBytes().orElseThrow();
        assertTrue(more >= 32 * frame, () -> more + ": a layer"); // and a larger group
        long heap = Runtime.getRuntime().maxMemory();
        SliceEstimate enough =
                GROW.withBudgetBytes(little.pipelineBytes().orElseThrow()).estimate(array, 0);
        if (heap / 8 * 5 >= little.pipelineBytes().orElseThrow()) {
            assertEquals(SliceStrategy.PIPELINED, enough.strategy());
            long buffers = Runtime.getRuntime().availableProcessors() * (1L << 20);
            assertEquals(little.pipelineBytes().orElseThrow() + buffers, enough.heapBytes() + enough.directBytes());
            long slices = enough.directBytes() - buffers;
            assertTrue(34 * frame <= slices && slices < 35 * frame, () -> slices + ": a layer and two frames");
        }
    }

    /** With the budgets of the estimate, slices are pipelined, however few inner chunks a layer has. */
    @ParameterizedTest
    @CsvSource({"files,16,1", "files,16,2", "files,16,4", "files,16,16", "files,1,1", "files,1,4", "memory,16,1"})
    void estimatedBudgets_leaveMemoryForTheLayers(String kind, int depth, int columns) {
        int edge = 512;
        ZarrArray array = create(
                store(kind, dir),
                ArraySpec.of("uint16", 0, edge, edge)
                        .withShardShape(2 * depth, edge, edge)
                        .withChunkShape(depth, edge / columns, edge)
                        .withCodecs(Codecs.bytesLittleEndian()),
                ZarrOptions.defaults());
        long slice = 2L * edge * edge;
        SliceEstimate little = GROW.withBudgetBytes(1 << 20).estimate(array, 0);
        long buffers = Runtime.getRuntime().availableProcessors() * (1L << 20);
        long[] budgets = {
            little.pipelineBytes().orElseThrow(), little.smoothBytes().orElseThrow()
        };
        for (int layers = 1; layers <= 2; layers++) {
            SliceEstimate enough = GROW.withBudgetBytes(budgets[layers - 1]).estimate(array, 0);
            assertEquals(SliceStrategy.PIPELINED, enough.strategy(), enough::toString);
            long needed = (layers * depth + 2) * slice;
            assertTrue(!kind.equals("files") || enough.directBytes() - buffers >= needed, enough + ": " + needed);
        }
    }

    /** Any shape, dimension, region, budget and store, with flushes in between, gives what one write gives. */
    @Test
    void randomStreams_holdTheirSlices() {
        for (int round = 0; round < Rounds.of(40); round++) {
            long seed = System.nanoTime();
            Random random = new Random(seed);
            String kind = List.of("files", "memory", "conditions", "remote").get(random.nextInt(4));
            Store store = store(kind, dir.resolve("r" + round));
            int rank = 1 + random.nextInt(3);
            int dimension = random.nextInt(rank);
            long[] shape = new long[rank];
            long[] inner = new long[rank];
            long[] shard = new long[rank];
            long[] origin = new long[rank];
            long[] extent = new long[rank];
            for (int d = 0; d < rank; d++) {
                inner[d] = 1 + random.nextInt(5);
                shard[d] = inner[d] * (1 + random.nextInt(4));
                shape[d] = 1 + random.nextInt(30);
                origin[d] = random.nextBoolean() ? 0 : random.nextInt((int) shape[d]);
                extent[d] =
                        random.nextBoolean() ? shape[d] - origin[d] : 1 + random.nextInt((int) (shape[d] - origin[d]));
            }
            ArraySpec spec = ArraySpec.of("uint16", shape)
                    .withShardShape(shard)
                    .withChunkShape(inner)
                    .withFillValue(5);
            ZarrArray array = create(
                    store,
                    random.nextBoolean()
                            ? spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(1))
                            : spec.withCodecs(Codecs.bytesLittleEndian()),
                    ZarrOptions.defaults());
            Box region = Box.of(origin, extent);
            short[] before = Values.noise(array, 3);
            if (random.nextBoolean()) {
                array.write(array.domain(), before, 0);
            } else {
                Arrays.fill(before, (short) 5);
            }
            short[] after = Values.noise(array, 4);
            long sliceBytes = region.count() / extent[dimension] * 2;
            long budget = sliceBytes * random.nextInt(80) + random.nextInt(100_000);
            int owned = 0;
            AtomicInteger released = new AtomicInteger();
            try (SliceWriter slices =
                    array.slices(dimension, PIPELINED.withRegion(region).withBudgetBytes(budget))) {
                long z = origin[dimension];
                while (z < region.end(dimension)) {
                    long count = Math.min(region.end(dimension) - z, 1 + random.nextInt(3));
                    long[] from = region.origin();
                    long[] lengths = region.shape();
                    from[dimension] = z;
                    lengths[dimension] = count;
                    Box part = Box.of(from, lengths);
                    NdArray next = NdArray.of(array.dataType(), lengths, Values.cut(array, after, part));
                    if (random.nextBoolean()) {
                        slices.write(next);
                    } else {
                        owned++;
                        slices.writeOwned(next, released::incrementAndGet);
                    }
                    z += count;
                    if (random.nextInt(8) == 0) {
                        slices.flush();
                        assertEquals(z, slices.committed(), "seed " + seed);
                    }
                }
            }
            assertEquals(owned, released.get(), "seed " + seed);
            short[] found = array.read().shorts();
            for (int i = 0; i < found.length; i++) {
                long[] at = array.domain().at(i);
                boolean inside = true;
                for (int d = 0; d < rank; d++) {
                    inside &= at[d] >= region.origin(d) && at[d] < region.end(d);
                }
                assertEquals(
                        inside ? after[i] : before[i],
                        found[i],
                        "seed " + seed + ", " + kind + ", element " + Arrays.toString(at));
            }
        }
    }
}
