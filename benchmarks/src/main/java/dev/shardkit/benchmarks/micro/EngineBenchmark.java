package dev.shardkit.benchmarks.micro;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the overhead of plans and the engine for each inner chunk. Inner chunks have 16 bytes and are in memory, so
 * that decoding and copying take almost no time. Uses one thread; the shard index is cached.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineBenchmark {
    /** The edge length of the array, which is one shard. */
    private static final int EDGE = 256;
    /** The edge length of an inner chunk. */
    private static final int INNER = 4;

    private static final int INNER_CHUNKS = EDGE / INNER * (EDGE / INNER);

    private final byte[] whole = new byte[EDGE * EDGE];
    private final byte[] single = new byte[INNER * INNER];
    private ZarrArray array;
    /** The number of the inner chunk that {@link #single()} reads next. */
    private int next;

    /** Writes one shard into memory. */
    @Setup
    public void write() {
        ArraySpec spec = ArraySpec.of("uint8", EDGE, EDGE)
                .withShardShape(EDGE, EDGE)
                .withChunkShape(INNER, INNER)
                .withCodecs();
        array = Zarr.createArray(
                MemoryStore.create(),
                "",
                spec,
                IfExists.REFUSE,
                ZarrOptions.defaults().withParallelism(1));
        byte[] values = new byte[EDGE * EDGE];
        Arrays.fill(values, (byte) 1);
        array.write(array.domain(), values, 0);
    }

    /** Closes the array. */
    @TearDown
    public void close() {
        array.close();
    }

    /** Reads the whole shard. The reported time is that of one inner chunk. */
    @Benchmark
    @OperationsPerInvocation(INNER_CHUNKS)
    public byte[] full() {
        array.readInto(whole, 0, array.domain());
        return whole;
    }

    /** Reads one inner chunk after the other, each with a call of its own. */
    @Benchmark
    public byte[] single() {
        next = (next + 1) % INNER_CHUNKS;
        long[] origin = {(long) next / (EDGE / INNER) * INNER, (long) next % (EDGE / INNER) * INNER};
        array.readInto(single, 0, Box.of(origin, new long[] {INNER, INNER}));
        return single;
    }
}
