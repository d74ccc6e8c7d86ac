package dev.shardkit.spi.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.DataLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PlanRunTest {
    private final Scratch scratch = new Scratch();

    /** Reads the byte at {@code offset}. */
    private static Plan<Integer> read(long offset) {
        return Source.stored("c/0")
                .read(
                        new ByteRange.Slice(offset, 1),
                        (answer, scratch) -> answer instanceof ReadResult.Found f
                                ? (int) f.bytes().buffer().get(0)
                                : -1);
    }

    /** Every byte's value is its offset. */
    private static ReadResult answer(ReadRequest<?> request) {
        byte value = (byte) ((ByteRange.Slice) request.range()).offset();
        return new ReadResult.Found(Bytes.of(new byte[] {value}), Long.MAX_VALUE);
    }

    /** Hands out all it can, answers one at random, and so on; {@code check} is called each time. */
    private <T> T drive(PlanRun<T> run, Random random, Runnable check) {
        List<PlanRun.Task> out = new ArrayList<>();
        while (run.value().isEmpty()) {
            for (Optional<PlanRun.Task> t = run.next(); t.isPresent(); t = run.next()) {
                out.add(t.get());
            }
            check.run();
            assertEquals(out.size(), run.open());
            int chosen = random.nextInt(out.size());
            PlanRun.Task task = out.set(chosen, out.get(out.size() - 1));
            out.remove(out.size() - 1);
            run.advance(
                    task,
                    task instanceof PlanRun.ReadTask r
                            ? r.answer(answer(r.request()), scratch)
                            : ((PlanRun.WorkTask) task).run(scratch));
        }
        assertTrue(out.isEmpty());
        assertEquals(0, run.joins());
        return run.value().get();
    }

    @Test
    void run_ofPartsThatAreDoneAsTheyAreMade_needsNoTask() {
        Plan<List<Integer>> plan = Plan.all(3, i -> Plan.done((int) i));
        assertEquals(List.of(0, 1, 2), PlanRun.run(plan, scratch, PlanRunTest::answer));
        Plan<Integer> last = Plan.all(2, i -> i == 0 ? read(5) : Plan.done(6)).map(all -> all.get(0) + all.get(1));
        assertEquals(11, PlanRun.run(last, scratch, PlanRunTest::answer));
    }

    @Test
    void join_ofAMillionNeeds_keepsNoMoreThanTheBudgetOpen() {
        AtomicLong made = new AtomicLong();
        AtomicLong ended = new AtomicLong();
        PlanRun<NoResult> run = new PlanRun<>(
                Plan.each(1_000_000, i -> {
                    made.incrementAndGet();
                    return read(i).map(v -> {
                        assertEquals((byte) i, v.byteValue());
                        ended.incrementAndGet();
                        return NoResult.INSTANCE;
                    });
                }),
                1000);
        drive(run, new Random(1), () -> assertTrue(run.open() <= 1000 && made.get() - ended.get() <= 1000));
        assertEquals(1_000_000, ended.get());
    }

    @Test
    void joins_withinJoins_expandDepthFirstWithinTheBudget() {
        AtomicInteger shards = new AtomicInteger();
        AtomicInteger shardsEnded = new AtomicInteger();
        AtomicInteger chunks = new AtomicInteger();
        PlanRun<NoResult> run = new PlanRun<>(
                Plan.each(500, s -> {
                    shards.incrementAndGet();
                    return read(0).then(index -> Plan.each(200, c -> read(c).map(v -> {
                                chunks.incrementAndGet();
                                return NoResult.INSTANCE;
                            })))
                            .map(u -> {
                                shardsEnded.incrementAndGet();
                                return u;
                            });
                }),
                16);
        drive(run, new Random(2), () -> {
            assertTrue(run.open() <= 16);
            assertTrue(run.joins() <= 17);
            assertTrue(shards.get() - shardsEnded.get() <= 2 * 16, () -> shards + " begun, " + shardsEnded + " ended");
        });
        assertEquals(100_000, chunks.get());
        assertEquals(500, shardsEnded.get());
    }

    @Test
    void all_gathersValuesInOrder_inWhateverOrderPartsEnd() {
        Plan<List<Integer>> plan = Plan.all(
                100,
                i -> i % 3 == 0
                        ? Plan.done((int) i)
                        : i % 3 == 1 ? read(i) : Plan.defer(DataLocation.nowhere(), s -> read(i)));
        for (int seed = 0; seed < 10; seed++) {
            List<Integer> values = drive(new PlanRun<>(plan, 7), new Random(seed), () -> {});
            for (int i = 0; i < 100; i++) {
                assertEquals(i, values.get(i));
            }
        }
    }

    @Test
    void drop_givesUpAllOfAPart_andTheOthersGoOn() {
        List<Long> ended = new ArrayList<>();
        PlanRun<NoResult> run = new PlanRun<>(
                Plan.each(
                        3,
                        p -> Plan.each(20, i -> read(1).map(v -> {
                            ended.add(p);
                            return NoResult.INSTANCE;
                        }))),
                8);
        PlanRun.Task first = run.next().orElseThrow();
        PlanRun.Task second = run.next().orElseThrow();
        long part = first.part();
        assertEquals(part, second.part());
        run.drop(first);
        run.drop(second);
        for (Optional<PlanRun.Task> t = run.next(); t.isPresent(); t = run.next()) {
            assertTrue(t.get().part() != part);
            PlanRun.ReadTask task = (PlanRun.ReadTask) t.get();
            run.advance(task, task.answer(answer(task.request()), scratch));
        }
        assertTrue(run.value().isPresent());
        assertEquals(0, run.open());
        assertEquals(40, ended.size());
        assertTrue(!ended.contains(part));
    }

    @Test
    void join_ofNothing_isDone() {
        assertEquals(List.of(), PlanRun.run(Plan.all(0, i -> read(i)), scratch, PlanRunTest::answer));
        Plan<Integer> after = Plan.each(0, i -> Plan.done()).then(u -> read(3));
        assertEquals(3, PlanRun.run(after, scratch, PlanRunTest::answer).intValue());
    }

    @Test
    void join_ofPartsThatAreDone_needsNoTask() {
        PlanRun<NoResult> run = new PlanRun<>(Plan.each(100_000, i -> Plan.done()), 2);
        assertTrue(run.next().isEmpty());
        assertTrue(run.value().isPresent());
    }

    private static Plan<Integer> loop(int left) {
        return left == 0
                ? Plan.done(0)
                : Plan.each(1, i -> read(i).then(v -> Plan.done())).then(u -> loop(left - 1));
    }

    @Test
    void joins_oneAfterTheOther_doNotPileUp() {
        for (int budget : new int[] {1, 8}) {
            PlanRun<Integer> run = new PlanRun<>(loop(10_000), budget);
            drive(run, new Random(3), () -> assertTrue(run.joins() <= 1, () -> run.joins() + " joins"));
        }
    }

    @Test
    void defer_isATaskOfItsOwn_atItsPlace() {
        DataLocation place = DataLocation.of("c/7");
        PlanRun<Integer> run = new PlanRun<>(Plan.defer(place, s -> Plan.done(s.borrow(1).length)), 1);
        PlanRun.Task task = run.next().orElseThrow();
        assertSame(place, task.location());
        assertTrue(run.next().isEmpty());
        assertTrue(run.value().isEmpty());
        run.advance(task, ((PlanRun.WorkTask) task).run(scratch));
        assertTrue(run.value().orElseThrow() >= 1);
    }

    @Test
    void plan_isRunAgainFromItsStart() {
        Plan<Integer> plan =
                Plan.all(3, i -> read(i)).map(v -> v.stream().mapToInt(x -> x).sum());
        assertEquals(3, PlanRun.run(plan, scratch, PlanRunTest::answer).intValue());
        assertEquals(3, PlanRun.run(plan, scratch, PlanRunTest::answer).intValue());
        PlanRun<Integer> abandoned = new PlanRun<>(plan, 2);
        abandoned.next();
        assertEquals(3, PlanRun.run(plan, scratch, PlanRunTest::answer).intValue());
    }

    @Test
    void run_takesBackWhatStepsBorrow_andLetsErrorsThrough() {
        int mark = scratch.mark();
        PlanRun.run(
                Plan.each(
                        10,
                        i -> Plan.defer(DataLocation.nowhere(), s -> {
                            assertEquals(mark, s.mark());
                            s.borrow(10);
                            return Plan.done();
                        })),
                scratch,
                PlanRunTest::answer);
        assertEquals(mark, scratch.mark());
        assertThrows(
                IllegalStateException.class,
                () -> PlanRun.run(
                        read(0).map(v -> {
                            throw new IllegalStateException();
                        }),
                        scratch,
                        PlanRunTest::answer));
    }
}
