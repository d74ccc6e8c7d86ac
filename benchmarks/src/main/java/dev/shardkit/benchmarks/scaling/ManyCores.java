package dev.shardkit.benchmarks.scaling;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.util.Arrays;

/**
 * Measures how the rate of one read grows with its number of workers, regardless of the number of cores. Decoding an
 * inner chunk takes a fixed time, in which the worker sleeps ({@link SleepingCodec}). The growth ends where the
 * engine's work under the monitor of the run takes all the time. Prints a table. "Of the ideal" is the rate of each
 * worker relative to the rate of one worker alone.
 *
 * <pre>ManyCores MICROSECONDS INNER_CHUNKS
 *
 * MICROSECONDS   the time to decode an inner chunk
 * INNER_CHUNKS   the number of inner chunks of the array, which is one shard</pre>
 */
public final class ManyCores {
    private static final int[] WORKERS = {1, 2, 4, 8, 16, 32, 64};
    /** The number of elements of an inner chunk. */
    private static final int INNER = 256;

    private static final int RUNS = 5;

    private ManyCores() {}

    /** Runs the benchmark. */
    public static void main(String[] args) {
        long nanos = Long.parseLong(args[0]) * 1000;
        int innerChunks = Integer.parseInt(args[1]);
        MemoryStore store = MemoryStore.create();
        byte[] values = new byte[innerChunks * INNER];
        Arrays.fill(values, (byte) 1);
        ArraySpec spec = ArraySpec.of("uint8", values.length)
                .withShardShape(values.length)
                .withChunkShape(INNER)
                .withCodecs(Json.object().with("name", Json.of(SleepingCodec.NAME)));
        try (ZarrArray array = Zarr.createArray(store, "", spec, IfExists.REFUSE, options(0, 1))) {
            array.write(array.domain(), values, 0);
        }
        for (int workers : WORKERS) {
            read(store, options(0, workers), values.length); // warm-up: the JVM compiles the code
        }
        System.out.println("| workers | inner chunks a second | of the ideal |\n|---|---|---|");
        double rateOfOne = 0;
        for (int workers : WORKERS) {
            double[] rates = new double[RUNS];
            for (int run = 0; run < RUNS; run++) {
                rates[run] = innerChunks / read(store, options(nanos, workers), values.length);
            }
            Arrays.sort(rates);
            double rate = rates[RUNS / 2];
            rateOfOne = workers == 1 ? rate : rateOfOne;
            System.out.printf("| %d | %,.0f | %.2f |%n", workers, rate, rate / rateOfOne / workers);
        }
    }

    private static ZarrOptions options(long nanos, int workers) {
        Registry registry = Registry.builder()
                .all(Registry.load())
                .codec(new SleepingCodec(nanos))
                .build();
        return ZarrOptions.defaults().withRegistry(registry).withParallelism(workers);
    }

    /** Reads the whole array, and returns the elapsed seconds. */
    private static double read(MemoryStore store, ZarrOptions options, int length) {
        try (ZarrArray array = Zarr.openArray(store, "", options)) {
            byte[] values = new byte[length];
            long begun = System.nanoTime();
            array.readInto(values, 0, array.domain());
            double seconds = (System.nanoTime() - begun) / 1e9;
            for (byte value : values) {
                if (value != 1) {
                    throw new IllegalStateException("a wrong value");
                }
            }
            return seconds;
        }
    }
}
