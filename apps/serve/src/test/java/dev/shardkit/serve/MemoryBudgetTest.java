package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for elements share a budget of memory. */
@Timeout(300)
class MemoryBudgetTest extends ServedFolder {
    private static final int MIB = 1 << 20;

    @Override
    void fill() {
        ArraySpec spec =
                ArraySpec.of("uint8", 4, 16 * MIB).withChunkShape(1, 16 * MIB).withCodecs(Codecs.gzip(1));
        try (ZarrArray array = Zarr.createArray(folder.resolve("a").toString(), spec)) {
            array.write(Box.of(new long[] {0, 0}, new long[] {1, 2}), new byte[] {1, 2}, 0);
        }
    }

    @Override
    ServerOptions options() {
        return ServerOptions.defaults().withMemory(24 * MIB);
    }

    @Test
    void need_isThatOfWholeStoredChunks() {
        try (ZarrArray array = Zarr.openArray(folder.resolve("a").toString())) {
            int threads = Runtime.getRuntime().availableProcessors();
            assertEquals(32L * MIB + 3, ReadMemory.estimate(array, Box.of(new long[] {1, 5}, new long[] {1, 1})));
            assertEquals(
                    Math.min(3, threads) * 32L * MIB + 3 * 3,
                    ReadMemory.estimate(array, Box.of(new long[] {1, 5}, new long[] {3, 1})));
        }
    }

    @Test
    void need_ofAChunkBeyondTheArray_isThatOfTheWholeChunk() {
        ArraySpec spec = ArraySpec.of("uint8", 3).withChunkShape(16 * MIB).withCodecs(Codecs.gzip(1));
        try (ZarrArray array = Zarr.createArray(folder.resolve("b").toString(), spec)) {
            assertEquals(32L * MIB + 3, ReadMemory.estimate(array, Box.of(new long[] {1}, new long[] {1})));
        }
    }

    @Test
    void need_ofPlainChunks_isThatOfTheResult() {
        ArraySpec spec = ArraySpec.of("uint16", 4, 16 * MIB)
                .withChunkShape(1, 16 * MIB)
                .withCodecs(Codecs.named("bytes", Json.object().with("endian", Json.of("little"))));
        try (ZarrArray array = Zarr.createArray(folder.resolve("b").toString(), spec)) {
            assertEquals(2 * 3 * 5, ReadMemory.estimate(array, Box.of(new long[] {1, 5}, new long[] {1, 5})));
        }
    }

    @Test
    void chunkThatExceedsTheBudget_isRefusedWithItsNeed() throws IOException {
        for (String path : new String[] {"/__v3/a/c/0/0", "/__view/tile/a?step=1", "/__view/statistics/a"}) {
            RawHttp.Reply reply = RawHttp.get(server, path);
            assertEquals(422, reply.status(), path);
            assertTrue(reply.text().contains("this server may use 24 MiB"), reply.text());
        }
        try (DataServer larger =
                DataServer.start(store, ServerOptions.defaults().withMemory(60 * MIB))) {
            assertEquals(200, RawHttp.get(larger, "/__v3/a/c/0/0").status());
        }
    }

    @Test
    void work_thatDoesNotFit_waitsForOther() throws Exception {
        BoundedWork work = new BoundedWork(10 * MIB);
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger used = new AtomicInteger();
        CompletableFuture<byte[]> large = CompletableFuture.supplyAsync(() -> run(work, 9 * MIB, () -> {
            used.addAndGet(9);
            isRunning.countDown();
            await(mayEnd);
            used.addAndGet(-9);
            return new byte[1];
        }));
        isRunning.await();
        CompletableFuture<byte[]> second = new CompletableFuture<>();
        Thread thread = new Thread(() -> second.complete(run(work, 2 * MIB, () -> new byte[] {(byte) used.get()})));
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        assertArrayEquals(new byte[] {0}, second.get(), "it ran alone");
        large.get();
        assertThrows(HttpError.class, () -> work.run(11 * MIB, () -> new byte[0]));
    }

    private static byte[] run(BoundedWork work, long bytes, BoundedWork.Work task) {
        try {
            return work.run(bytes, task);
        } catch (HttpError e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
