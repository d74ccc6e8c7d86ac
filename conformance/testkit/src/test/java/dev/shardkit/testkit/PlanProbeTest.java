package dev.shardkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanProbeTest {
    private static final byte[] HUNDRED = SampleBytes.make(SampleBytes.Kind.NOISE, 100);
    private static final Decoder<Bytes> COPY = (answer, scratch) ->
            answer instanceof ReadResult.Found f ? f.bytes().copy() : Bytes.EMPTY;

    private final PlanProbe probe = PlanProbe.over(Map.of("k", HUNDRED));

    private static Plan<Bytes> slice(long offset, long length) {
        return Source.stored("k").read(new ByteRange.Slice(offset, length), COPY);
    }

    private static Plan<List<Bytes>> three() {
        return Plan.all(3, i -> slice(10 + 20 * i, 10));
    }

    @Test
    void run_eachNeed_isCountedAndAnswered() {
        List<Bytes> values = probe.run(three());
        for (int i = 0; i < 3; i++) {
            assertTrue(values.get(i).contentEquals(Bytes.of(HUNDRED, 10 + 20 * i, 10)));
        }
        assertEquals(3, probe.requests());
        assertEquals(30, probe.bytes());
        assertEquals(1, probe.waves());
        assertEquals(Map.of("k", 3), probe.requestsByKey());
    }

    @Test
    void merging_closesGapsUpToTheGiven() {
        PlanProbe near = probe.merging(10);
        List<Bytes> values = near.run(three());
        assertEquals(List.of(new PlanProbe.Read("k", 10, 50)), near.reads());
        assertTrue(values.get(2).contentEquals(Bytes.of(HUNDRED, 50, 10)));
        PlanProbe far = probe.merging(9);
        far.run(three());
        assertEquals(3, far.requests());
        assertEquals(0, probe.requests());
    }

    @Test
    void run_whatFollows_isAnotherWave() {
        PlanProbe merging = probe.merging(1000);
        merging.run(slice(0, 1).then(first -> slice(1, 1)));
        assertEquals(2, merging.requests());
        assertEquals(2, merging.waves());
    }

    @Test
    void ranges_areCutAsAStoreWould() {
        assertEquals(
                100,
                probe.run(Source.stored("k").read(new ByteRange.Suffix(500), COPY))
                        .size());
        assertEquals(
                7,
                probe.run(Source.stored("k").read(new ByteRange.Suffix(7), COPY))
                        .size());
        assertEquals(
                100,
                probe.run(Source.stored("k").read(ByteRange.whole(100), COPY)).size());
        assertThrows(
                CorruptDataException.class, () -> probe.run(Source.stored("k").read(ByteRange.whole(99), COPY)));
        assertThrows(CorruptDataException.class, () -> probe.run(slice(95, 6)));
        assertEquals(
                "Absent", probe.run(Source.stored("none").read(ByteRange.whole(), (answer, scratch) -> answer.getClass()
                        .getSimpleName())));
    }

    @Test
    void borrowedBytes_areSpoiledAfterwards() {
        Decoder<Bytes> keeps = (answer, scratch) -> ((ReadResult.Found) answer).bytes();
        Bytes kept = probe.run(Source.stored("k").read(ByteRange.whole(), keeps));
        assertFalse(kept.contentEquals(Bytes.of(HUNDRED)));
    }
}
