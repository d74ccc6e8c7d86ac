package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fields that take one another's memory. */
@Timeout(300)
class OpenFieldsTest {
    private static final int PLACES = 4;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    /** A field that counts those with memory. */
    private static final class Field implements OpenFields.Member {
        private final OpenFields places;
        private final AtomicInteger holders;
        private final AtomicInteger mostHolders;
        private final Executor background;
        /** What storing the field throws; null for nothing. */
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        /** How often the field was stored by a caller, and in the background. */
        private final AtomicInteger stored = new AtomicInteger();

        private final AtomicInteger storedInBackground = new AtomicInteger();
        private boolean hasMemory;

        Field(OpenFields places, AtomicInteger holders, AtomicInteger mostHolders, Executor background) {
            this.places = places;
            this.holders = holders;
            this.mostHolders = mostHolders;
            this.background = background;
        }

        void write() {
            places.enter(this);
            try {
                takeMemory();
            } finally {
                places.exit(this);
            }
        }

        private synchronized void takeMemory() {
            if (!hasMemory) {
                hasMemory = true;
                int now = holders.incrementAndGet();
                mostHolders.accumulateAndGet(now, Math::max);
            }
        }

        private synchronized void free() {
            Throwable reason = failure.get();
            if (reason instanceof Error error) {
                throw error;
            } else if (reason instanceof RuntimeException exception) {
                throw exception;
            }
            if (hasMemory) {
                hasMemory = false;
                holders.decrementAndGet();
            }
        }

        synchronized boolean hasMemory() {
            return hasMemory;
        }

        @Override
        public void suspend() {
            stored.incrementAndGet();
            free();
        }

        @Override
        public CompletableFuture<?> suspendAsync() {
            if (failure.get() instanceof Error error) {
                throw error;
            }
            return CompletableFuture.runAsync(
                    () -> {
                        storedInBackground.incrementAndGet();
                        free();
                    },
                    background);
        }
    }

    /** Creates fields for a number of places. */
    private static List<Field> fields(int places, int count, Executor background) {
        OpenFields open = new OpenFields(places, count);
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger mostHolders = new AtomicInteger();
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add(new Field(open, holders, mostHolders, background));
        }
        return fields;
    }

    private static List<Integer> withMemory(List<Field> fields) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).hasMemory()) {
                found.add(i);
            }
        }
        return found;
    }

    private static void write(List<Field> fields, int... indices) {
        for (int i : indices) {
            fields.get(i).write();
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.get(120, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(120, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void leastRecentlyUsedField_leaves() {
        List<Field> fields = fields(2, 4, Runnable::run);
        write(fields, 0, 1, 0, 2);
        assertEquals(List.of(0, 2), withMemory(fields));
        write(fields, 3);
        assertEquals(List.of(2, 3), withMemory(fields));
        fields.get(3).places.left(fields.get(3)); // its memory is free already
        write(fields, 2, 0);
        assertEquals(0, fields.get(2).stored.get());
    }

    @Test
    void withSeveralPlaces_oneIsFreedBeforehand_inTheBackground() {
        List<Field> fields = fields(PLACES, PLACES + 1, Runnable::run);
        write(fields, 0, 1, 2, 3);
        assertEquals(List.of(1, 2, 3), withMemory(fields));
        assertEquals(1, fields.get(0).storedInBackground.get());
        List<Field> enough = fields(PLACES, PLACES, Runnable::run);
        write(enough, 0, 1, 2, 3);
        assertEquals(List.of(0, 1, 2, 3), withMemory(enough), "all have places");
    }

    @Test
    void neverMoreFieldsThanPlaces_haveMemory() throws Exception {
        for (int places : new int[] {1, 2, PLACES, 6}) {
            List<Field> fields = fields(places, 20, threads);
            List<Future<?>> cameras = new ArrayList<>();
            for (int camera = 0; camera < 8; camera++) {
                Random random = new Random(camera);
                cameras.add(threads.submit(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        write(fields, random.nextInt(fields.size()));
                    }
                }));
            }
            for (Future<?> camera : cameras) {
                await(camera);
            }
            // A field that gets its place again may lose its memory to a late task of the background, never vice versa.
            int most = fields.get(0).mostHolders.get();
            assertTrue(most <= places, () -> most + " fields had memory, with " + places + " places");
        }
    }

    /** The background needs a thread that the caller holds. */
    @Test
    void executorOfOneThread_suffices() throws Exception {
        for (int places : new int[] {1, PLACES}) {
            ExecutorService only = Executors.newSingleThreadExecutor();
            try {
                List<Field> fields = fields(places, 10, only);
                await(only.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        write(fields, i % 10, (i + 5) % 10);
                    }
                }));
                assertTrue(fields.get(0).mostHolders.get() <= places);
            } finally {
                only.shutdownNow();
            }
        }
    }

    /** The field that leaves in the background gets the next frame itself. */
    @Test
    void fieldThatIsLeaving_isStoredByItsOwnCall() {
        List<Runnable> queued = new ArrayList<>();
        List<Field> fields = fields(PLACES, PLACES + 1, queued::add);
        write(fields, 0, 1, 2, 3, 0);
        assertEquals(1, fields.get(0).stored.get());
        assertTrue(fields.get(0).hasMemory());
        queued.forEach(Runnable::run); // late: it frees the memory, but the field keeps its place
        write(fields, 4, 0);
        assertEquals(PLACES, fields.get(0).mostHolders.get());
    }

    @Test
    void fieldThatCannotBeStored_keepsItsPlace_andAnotherOneLeaves() {
        List<Field> fields = fields(2, 3, Runnable::run);
        write(fields, 0, 1);
        fields.get(0).failure.set(new IllegalStateException("disk 0"));
        write(fields, 2);
        assertEquals(List.of(0, 2), withMemory(fields));
        fields.get(2).failure.set(new IllegalStateException("disk 2"));
        RuntimeException e = assertThrows(IllegalStateException.class, () -> write(fields, 1));
        assertTrue(e.getMessage().startsWith("disk"), e.getMessage());
        write(fields, 0, 2); // they go on with their memory
        fields.get(2).failure.set(null);
        write(fields, 1);
        assertEquals(List.of(0, 1), withMemory(fields));
    }

    @Test
    void errorWhileAFieldIsStored_blocksNoOtherCall() {
        List<Field> fields = fields(1, 2, Runnable::run);
        write(fields, 0);
        Error error = new LinkageError("test");
        fields.get(0).failure.set(error);
        assertSame(error, assertThrows(LinkageError.class, () -> write(fields, 1)));
        fields.get(0).failure.set(null);
        write(fields, 0);
        assertEquals(1, fields.get(0).stored.get(), "it keeps its memory");
        write(fields, 1, 0);
        List<Field> more = fields(PLACES, PLACES + 1, Runnable::run);
        more.get(0).failure.set(error);
        write(more, 0, 1, 2, 3); // the first one cannot be stored in the background
        more.get(0).failure.set(null);
        write(more, 4, 0, 1, 2, 3);
        assertTrue(more.get(0).mostHolders.get() <= PLACES);
    }

    @Test
    void interrupt_endsAWait() throws Exception {
        List<Field> fields = fields(1, 2, Runnable::run);
        OpenFields places = fields.get(0).places;
        places.enter(fields.get(0)); // a call of a hung store
        CountDownLatch started = new CountDownLatch(1);
        AtomicReference<Thread> waiting = new AtomicReference<>();
        AtomicReference<Boolean> isInterrupted = new AtomicReference<>(false);
        Future<?> write = threads.submit(() -> {
            waiting.set(Thread.currentThread());
            started.countDown();
            try {
                write(fields, 1);
            } finally {
                isInterrupted.set(Thread.interrupted());
            }
        });
        await(started);
        waiting.get().interrupt();
        ExecutionException e = assertThrows(ExecutionException.class, () -> await(write));
        assertInstanceOf(CancellationException.class, e.getCause());
        assertTrue(isInterrupted.get(), "the flag is kept");
        assertFalse(fields.get(1).hasMemory());
        places.exit(fields.get(0));
        write(fields, 1); // no call was counted
        assertEquals(List.of(1), withMemory(fields));
    }

    /** A call waits while all places are used, and goes on when one is not. */
    @Test
    void usedFields_areNotStored() throws Exception {
        List<Field> fields = fields(2, 3, Runnable::run);
        OpenFields places = fields.get(0).places;
        places.enter(fields.get(0));
        places.enter(fields.get(1));
        CountDownLatch started = new CountDownLatch(1);
        Future<?> write = threads.submit(() -> {
            started.countDown();
            write(fields, 2);
        });
        await(started);
        assertFalse(write.isDone());
        assertEquals(0, fields.get(0).stored.get() + fields.get(1).stored.get());
        places.exit(fields.get(1));
        await(write);
        assertEquals(1, fields.get(1).stored.get());
        assertEquals(0, fields.get(0).stored.get());
    }
}
