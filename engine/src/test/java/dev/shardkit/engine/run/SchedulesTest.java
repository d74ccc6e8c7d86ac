package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs on one thread under a scheduler that a seed drives: which helper begins, which request is answered, fails or is
 * told that its object changed, and when the future is cancelled. Every schedule of a seed is the same each time.
 * {@code -Dshardkit.rounds=N -DfirstSeed=S} run more or other ones.
 */
@Timeout(300)
class SchedulesTest {
    private static final int COUNT = Rounds.of(2000);
    private static final long FIRST = Long.getLong("firstSeed", 0);
    private static final int OBJECTS = 6;

    /** What can happen, and the one seed that says what does. */
    private static class Schedule implements Executor, Store, RemoteReads {
        @Override
        public Reads reads() {
            return this;
        }

        private final Random random;
        private final List<Runnable> tasks = new ArrayList<>();
        private final List<RemoteStore.Pending> pending = new ArrayList<>();
        private final RemoteStore answers = new RemoteStore();
        private final boolean answersAtOnce;
        private final int faultsOf100;
        private final Set<Class<?>> injected = new HashSet<>();
        private boolean ended;
        private boolean late;

        Schedule(long seed) {
            this.random = new Random(seed);
            this.answersAtOnce = random.nextInt(5) == 0;
            this.faultsOf100 = random.nextBoolean() ? 0 : random.nextInt(10);
            for (int i = 0; i < OBJECTS; i++) {
                answers.with("k" + i, Runs.shard("" + i));
            }
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            if (chance(faultsOf100)) {
                throw inject(new StoreException("refused to ask"));
            }
            RemoteStore.Pending p = new RemoteStore.Pending(
                    new RemoteStore.Asked(request.key(), request.range(), request.pin()), new CompletableFuture<>());
            if (answersAtOnce) {
                answers.answer(p);
            } else {
                pending.add(p);
            }
            return p.future();
        }

        @Override
        public MergePolicy mergePolicy() {
            return new MergePolicy(0, 1, 1 + random.nextInt(4));
        }

        @Override
        public String describe() {
            return "scheduled:";
        }

        boolean chance(int of100) {
            return random.nextInt(100) < of100;
        }

        <E extends RuntimeException> E inject(E failure) {
            injected.add(failure.getClass());
            return failure;
        }

        /** A unit of work of the plan: it would touch a target. */
        void touch() {
            late |= ended;
            if (chance(faultsOf100)) {
                throw inject(new CorruptDataException("made to fail"));
            }
        }

        /** One thing that can happen now; whether there was any. */
        boolean step(CompletableFuture<?> future) {
            if (chance(faultsOf100) && chance(10)) {
                inject(new CancellationException());
                future.cancel(true);
            }
            int choices = tasks.size() + pending.size();
            if (choices == 0) {
                return false;
            }
            int choice = random.nextInt(choices);
            if (choice < tasks.size()) {
                tasks.remove(choice).run();
                return true;
            }
            RemoteStore.Pending p = pending.remove(choice - tasks.size());
            if (p.future().isDone()) {
                return true; // cancelled
            }
            if (chance(faultsOf100)) {
                p.future()
                        .completeExceptionally(inject(
                                random.nextBoolean()
                                        ? new ObjectChangedException("changed")
                                        : new StoreException("failed")));
            } else {
                answers.answer(p);
            }
            return true;
        }
    }

    private static Plan<Long> plan(long seed, int depth, Schedule schedule) {
        Random random = new Random(seed);
        int width = 1 + random.nextInt(4);
        return Plan.all(width, i -> {
                    long own = seed * 31 + i;
                    int object = Math.floorMod(own, OBJECTS);
                    if (depth > 0 && own % 3 == 0) {
                        return Plan.defer(DataLocation.nowhere(), scratch -> {
                            schedule.touch();
                            return plan(own, depth - 1, schedule);
                        });
                    } else if (own % 2 == 0) {
                        return Runs.indexed("k" + object).map(text -> {
                            schedule.touch();
                            return Long.parseLong(text);
                        });
                    }
                    return Source.stored("k" + object).read(new ByteRange.Slice(2, 1), (answer, scratch) -> {
                        schedule.touch();
                        return Long.parseLong(Runs.text(answer));
                    });
                })
                .map(all -> all.stream().mapToLong(Long::longValue).sum());
    }

    private static long expected(long seed) {
        Schedule quiet = new Schedule(0) {
            @Override
            void touch() {}
        };
        return PlanRun.run(plan(seed, 3, quiet), new Scratch(), request -> {
            byte[] object = Runs.shard(request.key().substring(1));
            return new ReadResult.Found(Bytes.of(object).slice(request.range()), object.length);
        });
    }

    private static void run(long seed) {
        Schedule schedule = new Schedule(seed);
        ReadContext context = new ReadContext(
                schedule,
                Runs.ARRAY,
                schedule::mergePolicy,
                new ValueCache(1 << 20),
                ReadContext.Freshness.REVALIDATE,
                StoreListener.NONE);
        Workers workers = Workers.of(schedule, 1 + schedule.random.nextInt(4));
        CompletableFuture<Long> future = new PlanExecution<>(plan(seed, 3, schedule), context, workers, null).start();
        future.whenComplete((value, thrown) -> schedule.ended = true);
        while (schedule.step(future)) {
            // until nothing can happen any more
        }
        String name = "seed " + seed;
        assertTrue(future.isDone(), name + ": the run has not ended");
        assertFalse(schedule.late, name + ": a unit ran after the end");
        if (schedule.injected.isEmpty() || !future.isCompletedExceptionally()) {
            assertEquals(expected(seed), future.join(), name);
        } else {
            Throwable thrown = future.handle((value, e) -> Failures.unwrap(e)).join();
            assertTrue(schedule.injected.contains(thrown.getClass()), name + ": " + thrown);
        }
    }

    @Test
    void everySchedule_endsWithTheValueOrTheFailure() {
        for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
            run(seed);
        }
    }
}
