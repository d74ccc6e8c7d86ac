package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners, decoders and targets that read the same object in the middle of a read. */
@Timeout(120)
class NestedReadsTest extends ReadersOfOneIndex {
    /** Ways to read in the middle of another read, each of which waits for the answer. */
    private enum Nested {
        CALL,
        START,
        ON_ANOTHER_THREAD
    }

    private String readNow(Nested way, Reads store) {
        return switch (way) {
            case CALL -> engine.call(() -> Runs.indexed("k"), context(store));
            case START -> engine.start(() -> Runs.indexed("k"), context(store)).join();
            case ON_ANOTHER_THREAD ->
                CompletableFuture.supplyAsync(() -> engine.call(() -> Runs.indexed("k"), context(store)), threads)
                        .join();
        };
    }

    /** A listener that reads the same object once, when it is told of its first event of a kind. */
    private final class Reading implements StoreListener {
        private final AtomicBoolean done = new AtomicBoolean();
        private final String event;
        private final Runnable read;

        Reading(String event, Runnable read) {
            this.event = event;
            this.read = read;
        }

        private void at(String name) {
            if (name.equals(event) && done.compareAndSet(false, true)) {
                read.run();
            }
        }

        @Override
        public void onRequest(String key, ByteRange range) {
            at("request");
        }

        @Override
        public void onResponse(String key, ByteRange range, long bytes, Duration took) {
            at("response");
        }

        @Override
        public void onRetry(String key, int attempt, String reason) {
            at("retry");
        }
    }

    private void assertListenerCanRead(Reads store, String event, Nested way) throws Exception {
        AtomicReference<String> nested = new AtomicReference<>();
        Reading listener = new Reading(event, () -> nested.set(readNow(way, store)));
        ReadContext outer = Runs.context(store, cache, listener);
        assertEquals("hello", within(() -> engine.call(() -> Runs.indexed("k"), outer)));
        assertEquals("hello", nested.get());
        cache.clear();
        listener.done.set(false);
        nested.set("");
        assertEquals("hello", within(() -> engine.start(() -> Runs.indexed("k"), outer)
                .join()));
        assertEquals("hello", nested.get());
    }

    private <T> T within(Supplier<T> call) throws Exception {
        return CompletableFuture.supplyAsync(call, threads).get(100, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void listenerThatReadsTheSameObject_waitsForNobody(Nested way) throws Exception {
        for (String event : new String[] {"request", "response"}) {
            assertListenerCanRead(local, event, way);
            cache.clear();
            assertListenerCanRead(remote, event, way);
            cache.clear();
        }
        assertListenerCanRead(new RetryingStore(remote), "retry", way);
    }

    @Test
    void listenersThatReadEachOthersObject_doNotWaitInACircle() throws Exception {
        for (Reads store : List.of(local.with("l", Runs.shard("other")), remote.with("l", Runs.shard("other")))) {
            cache.clear();
            CyclicBarrier both = new CyclicBarrier(2);
            Function<String, StoreListener> reading = key -> new Reading("request", () -> {
                try {
                    both.await(100, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                engine.call(() -> Runs.indexed(key), context(store));
            });
            CompletableFuture<String> one = CompletableFuture.supplyAsync(
                    () -> engine.call(() -> Runs.indexed("k"), Runs.context(store, cache, reading.apply("l"))),
                    threads);
            CompletableFuture<String> two = CompletableFuture.supplyAsync(
                    () -> engine.call(() -> Runs.indexed("l"), Runs.context(store, cache, reading.apply("k"))),
                    threads);
            assertEquals("hello", one.get(100, TimeUnit.SECONDS));
            assertEquals("other", two.get(100, TimeUnit.SECONDS));
        }
    }

    /**
     * Code that runs while others wait for it: what it begins, and what that begins on threads of its own, is alone.
     */
    @ParameterizedTest
    @EnumSource(names = {"CALL", "START"})
    void decoderThatReadsTheSameObject_readsByItself(Nested way) throws Exception {
        Engine wide = Runs.engine(4); // each read blocks the worker of the one around it
        for (Reads store : List.of(local, remote)) {
            AtomicInteger depth = new AtomicInteger();
            AtomicReference<Supplier<Plan<String>>> plan = new AtomicReference<>();
            Decoder<String> index = Decoder.kept("index", s -> s.length(), (answer, scratch) -> {
                if (depth.incrementAndGet() <= 2) {
                    String nested = way == Nested.CALL
                            ? wide.call(plan.get(), context(store))
                            : wide.start(plan.get(), context(store)).join();
                    assertEquals("27", nested);
                }
                return Runs.text(answer);
            });
            plan.set(() -> Source.stored("k").read(INDEX, index));
            cache.clear();
            assertEquals("27", within(() -> wide.call(plan.get(), context(store))));
        }
    }

    @Test
    void targetThatReadsTheSameObject_afterTheIndexIsKept_waitsForNobody() throws Exception {
        Decoder<String> index = Decoder.kept("index", s -> s.length(), (answer, scratch) -> Runs.text(answer));
        AtomicBoolean done = new AtomicBoolean();
        Supplier<Plan<String>> plan = () -> Source.stored("k")
                .read(INDEX, index)
                .then(i ->
                        Plan.done(done.compareAndSet(false, true) ? i + readNow(Nested.ON_ANOTHER_THREAD, local) : i));
        assertEquals("27hello", within(() -> engine.call(plan, context(local))));
    }
}
