package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which answers may arrive on a thread that must not block, and that such a thread never runs foreign code. */
@Timeout(180)
class DirectAnswersTest {
    private static final ByteRange TWO = new ByteRange.Slice(0, 2);

    private final RemoteStore objects = new RemoteStore().with("k", Runs.shard("hello"));
    private final Direct store = new Direct(objects);
    private final Engine engine = Runs.engine(2);

    /** Answers on one I/O thread if it may, else on a thread of its own. */
    private static final class Direct implements Store, RemoteReads {
        private final RemoteStore store;
        private final AtomicInteger direct = new AtomicInteger();
        private final AtomicInteger others = new AtomicInteger();
        private final ExecutorService io = Executors.newSingleThreadExecutor(work -> new Thread(work, "io"));
        private final ExecutorService separate = Executors.newCachedThreadPool();

        Direct(RemoteStore store) {
            this.store = store;
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            boolean never = request.dependents() == FetchRequest.Dependents.NEVER_BLOCK;
            (never ? direct : others).incrementAndGet();
            return answer(never ? io : separate, store.fetch(request));
        }

        private static CompletableFuture<FetchResult> answer(
                ExecutorService by, CompletableFuture<FetchResult> answer) {
            CompletableFuture<FetchResult> later = new CompletableFuture<>();
            by.execute(() -> later.complete(answer.join()));
            return later;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public String describe() {
            return "direct:";
        }

        @Override
        public void close() {
            io.shutdownNow();
            separate.shutdownNow();
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Plan<String> two() {
        return Runs.text(Source.stored("k"), TWO);
    }

    private ReadContext context(StoreListener listener) {
        return Runs.context(store, new ValueCache(1 << 20), listener);
    }

    private void assertAnswers(int direct, int others) {
        assertEquals(List.of(direct, others), List.of(store.direct.get(), store.others.get()));
    }

    @Test
    void blockingCall_isAnsweredDirectly() {
        assertEquals("27", engine.call(DirectAnswersTest::two, context(StoreListener.NONE)));
        assertAnswers(1, 0);
    }

    @Test
    void sharedRead_isNot_becauseOtherRunsMayWaitForIt() {
        assertEquals("hello", engine.call(() -> Runs.indexed("k"), context(StoreListener.NONE)));
        assertAnswers(1, 1);
    }

    @Test
    void callWithAListener_future_andCallersExecutor_areNot() {
        engine.call(DirectAnswersTest::two, context(new StoreListener() {}));
        engine.start(DirectAnswersTest::two, context(StoreListener.NONE)).join();
        Runs.engine(Runnable::run, 2).call(DirectAnswersTest::two, context(StoreListener.NONE));
        assertAnswers(0, 3);
    }

    /** Listeners that wait for reads of other threads stop no I/O thread; plans and decoders never run on one. */
    @Test
    void foreignCode_neverRunsOnTheIoThread() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(8);
        StoreListener waiting = new StoreListener() {
            @Override
            public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                threads.add(Thread.currentThread().getName());
                all.countDown();
                PlanExecutionTest.await(all);
            }
        };
        ExecutorService callers = Executors.newCachedThreadPool();
        List<Future<String>> reads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            StoreListener listener = i < 8 ? waiting : StoreListener.NONE;
            reads.add(callers.submit(() -> engine.call(() -> noting(threads, 20), context(listener))));
        }
        for (Future<String> read : reads) {
            assertEquals("27", read.get());
        }
        callers.shutdown();
        assertEquals(false, threads.contains("io"), threads::toString);
    }

    /** Reads one after the other; the listener's latch is open after the first. */
    private static Plan<String> noting(Set<String> threads, int more) {
        return Source.stored("k")
                .read(TWO, (answer, scratch) -> {
                    threads.add(Thread.currentThread().getName());
                    return Runs.text(answer);
                })
                .then(text -> {
                    threads.add(Thread.currentThread().getName());
                    return more == 0 ? Plan.done(text) : noting(threads, more - 1);
                });
    }
}
