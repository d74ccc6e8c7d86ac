package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trees of joins, reads and work, of which the sum is known, on both kinds of store and any number of threads. */
@Timeout(120)
class RandomPlansTest {
    private static final int ROUNDS = Rounds.of(15);
    private final ExecutorService server = Executors.newFixedThreadPool(3);

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    private static byte[] object(int i) {
        byte[] bytes = new byte[100];
        java.util.Arrays.fill(bytes, (byte) i);
        return bytes;
    }

    private static Plan<Long> tree(Random random, int depth, AtomicInteger failAt) {
        long seed = random.nextLong();
        int kind = random.nextInt(depth == 0 ? 3 : 6);
        if (kind == 0) {
            return Plan.done(seed & 15);
        } else if (kind == 1) {
            return Plan.defer(DataLocation.nowhere(), scratch -> next(seed, depth, failAt));
        } else if (kind == 2) {
            ByteRange range = new ByteRange.Slice(random.nextInt(90), 1 + random.nextInt(10));
            return Source.stored("k" + random.nextInt(10))
                    .read(range, (answer, scratch) -> (long) Runs.text(answer).charAt(0))
                    .then(v -> next(seed, depth, failAt).map(w -> v + w));
        }
        int width = random.nextInt(12);
        return Plan.all(width, i -> next(seed + i, depth, failAt))
                .map(all -> all.stream().mapToLong(Long::longValue).sum());
    }

    private static Plan<Long> next(long seed, int depth, AtomicInteger failAt) {
        if (failAt.decrementAndGet() == 0) {
            throw new CorruptDataException("made to fail");
        }
        return depth == 0 ? Plan.done(seed & 7) : tree(new Random(seed), depth - 1, failAt);
    }

    private static Plan<Long> plan(int seed, int failAt) {
        return tree(new Random(seed), 6, new AtomicInteger(failAt));
    }

    private Reads remote() {
        RemoteStore store = new RemoteStore().asking();
        for (int i = 0; i < 10; i++) {
            store.with("k" + i, object(i));
        }
        server.submit(() -> {
            Random random = new Random();
            while (true) {
                RemoteStore.Pending p = store.pending.take();
                if (random.nextBoolean()) {
                    store.answer(p);
                } else {
                    server.submit(() -> store.answer(p));
                }
            }
        });
        return store;
    }

    private static Reads local() {
        LocalStore store = new LocalStore();
        for (int i = 0; i < 10; i++) {
            store.with("k" + i, object(i));
        }
        return store;
    }

    private static long expected(int seed) {
        return PlanRun.run(
                plan(seed, 0),
                new Scratch(),
                request -> new ReadResult.Found(
                        Bytes.of(object(request.key().charAt(1) - '0')).slice(request.range()), 100));
    }

    @Test
    void everyRun_endsWithTheSum_blockingAndAsync() throws Exception {
        for (Reads store : List.of(local(), remote())) {
            for (int round = 0; round < ROUNDS; round++) {
                int seed = round;
                Engine engine = Runs.engine(1 + round % 4);
                ReadContext context = Runs.merging(store, new MergePolicy(round % 5, 1 + round % 30, 1 + round % 7));
                long expected = expected(seed);
                assertEquals(expected, engine.call(() -> plan(seed, 0), context));
                assertEquals(
                        expected, engine.start(() -> plan(seed, 0), context).get());
            }
        }
    }

    @Test
    void everyRunThatFails_ends_blockingAndAsync() {
        for (Reads store : List.of(local(), remote())) {
            for (int round = 0; round < ROUNDS; round++) {
                Engine engine = Runs.engine(1 + round % 4);
                ReadContext context = Runs.merging(store, new MergePolicy(round % 5, 1 + round % 30, 1 + round % 7));
                Plan<Long> plan =
                        Plan.<Long>all(50, i -> plan((int) i, 1 + (int) i)).map(all -> 0L);
                assertThrows(CorruptDataException.class, () -> engine.call(() -> plan, context));
                CompletableFuture<Long> future = engine.start(() -> plan, context);
                assertThrows(ExecutionException.class, future::get);
            }
        }
    }

    @Test
    void everyRunThatIsCancelledOrInterrupted_ends() throws Exception {
        for (Reads store : List.of(local(), remote())) {
            for (int round = 0; round < ROUNDS; round++) {
                Engine engine = Runs.engine(1 + round % 4);
                ReadContext context = Runs.merging(store, new MergePolicy(0, 1, 2));
                Plan<Long> plan = Plan.<Long>all(20, i -> plan((int) i, 0)).map(all -> 0L);
                CompletableFuture<Long> future = engine.start(() -> plan, context);
                Future<Long> call = server.submit(() -> engine.call(() -> plan, context));
                future.cancel(true);
                call.cancel(true);
                for (Future<Long> ended : List.of(future, call)) {
                    try {
                        assertEquals(0, ended.get(), "it was done before");
                    } catch (CancellationException e) {
                        // as it should be
                    }
                }
            }
            // what was opened is closed, if need be a moment later: every run ends
            while (store instanceof LocalStore local && local.opened.get() != local.closed.get()) {
                Thread.onSpinWait();
            }
        }
    }
}
