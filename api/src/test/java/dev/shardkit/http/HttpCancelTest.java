package dev.shardkit.http;

import static dev.shardkit.testing.Values.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import dev.shardkit.type.StructType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are given up reach the server, and leave nothing behind. */
@Timeout(120)
class HttpCancelTest {
    private static final int COUNT = 16 << 20;

    /** One shard of two inner chunks of 8 MiB: more than sockets hold for a client that has gone. */
    private static Served served() {
        return served(Json.of("int8"));
    }

    private static Served served(Json type) {
        ArraySpec spec = ArraySpec.of(type, COUNT)
                .withChunkShape(COUNT / 2)
                .withShardShape(COUNT)
                .withIndexLocation(IndexLocation.START) // so that a whole shard is one request
                .withCodecs(Codecs.named("bytes", Json.object()));
        Served served = Served.empty(spec);
        byte[] values = new byte[COUNT];
        new Random(1).nextBytes(values);
        served.written().write(served.written().domain(), values, 0);
        served.publish();
        return served;
    }

    /** With one request at a time, so that one that was not given back would stop all others. */
    private static ZarrArray open(Served served) {
        ZarrArray array = served.open(
                ZarrOptions.defaults(), b -> b.maxConcurrentRequests(1).retries(RetryPolicy.none()));
        array.read(range(0, 0));
        return array;
    }

    private static void assertStillReads(Served served, ZarrArray array) {
        assertArrayEquals(
                served.written().read(range(5, 10)).bytes(),
                array.read(range(5, 10)).bytes());
    }

    @Test
    void future_cancelled_endsTheExchange() throws Exception {
        try (Served served = served()) {
            ZarrArray array = open(served);
            RangeServer.Hold hold = served.server().holdBodies();
            CompletableFuture<NdArray> future = array.readAsync(array.domain());
            hold.awaitReached();
            assertTrue(future.cancel(true));
            assertThrows(CancellationException.class, future::join);
            hold.release();
            served.server().awaitAborted();
            assertStillReads(served, array);
        }
    }

    @Test
    void futureOfAField_cancelled_endsTheExchange() throws Exception {
        try (Served served = served(StructType.of("v", CoreTypes.INT8).json())) {
            ZarrArray array = open(served);
            RangeServer.Hold hold = served.server().holdBodies();
            CompletableFuture<NdArray> future = array.field("v").readAsync(array.domain());
            hold.awaitReached();
            assertTrue(future.cancel(true));
            hold.release();
            served.server().awaitAborted();
            assertStillReads(served, array);
        }
    }

    @Test
    void blockingCall_interrupted_endsTheExchange() throws Exception {
        try (Served served = served()) {
            ZarrArray array = open(served);
            RangeServer.Hold hold = served.server().holdBodies();
            AtomicReference<Throwable> thrown = new AtomicReference<>(new AssertionError("not thrown"));
            AtomicReference<Boolean> flag = new AtomicReference<>(false);
            Thread reader = new Thread(() -> {
                try {
                    array.read();
                } catch (Throwable e) {
                    thrown.set(e);
                    flag.set(Thread.currentThread().isInterrupted());
                }
            });
            reader.start();
            hold.awaitReached();
            reader.interrupt();
            reader.join();
            assertEquals(CancellationException.class, thrown.get().getClass(), () -> thrown.get()
                    .toString());
            assertTrue(flag.get(), "the interrupt is still to be seen");
            hold.release();
            served.server().awaitAborted();
            assertStillReads(served, array);
        }
    }

    @Test
    void blockingCall_ofAnInterruptedThread_sendsNothingAndThrows() {
        try (Served served = served()) {
            ZarrArray array = open(served);
            served.server().quirks(Quirk.ENDLESS);
            Thread.currentThread().interrupt();
            assertThrows(CancellationException.class, array::read);
            assertTrue(Thread.interrupted());
            served.server().clearFaults();
            assertStillReads(served, array);
        }
    }

    @Test
    void openingCancelled_andManyReadsCancelled_leaveNothing() throws Exception {
        try (Served served = served()) {
            ZarrArray array = open(served);
            assertStillReads(served, array);
            int threads = Thread.activeCount();
            for (int round = 0; round < 20; round++) {
                List<CompletableFuture<NdArray>> futures = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    futures.add(array.readAsync(range(i, i + 100)));
                }
                futures.forEach(f -> f.cancel(true));
                futures.forEach(f -> assertTrue(f.isDone()));
            }
            assertStillReads(served, array);
            while (Thread.activeCount() > threads + 20) {
                Thread.onSpinWait(); // those that are idle end after a while
            }
        }
    }

    @Test
    void closingTheStore_endsCalls() throws Exception {
        try (Served served = served()) {
            HttpStore store = served.store(b -> b);
            ZarrArray array = Zarr.openArray(store, Served.PATH, ZarrOptions.defaults());
            RangeServer.Hold hold = served.server().holdBodies();
            CompletableFuture<NdArray> future = array.readAsync(array.domain());
            hold.awaitReached();
            store.close();
            assertThrows(CompletionException.class, future::join);
            hold.release();
            served.server().awaitAborted();
        }
    }
}
