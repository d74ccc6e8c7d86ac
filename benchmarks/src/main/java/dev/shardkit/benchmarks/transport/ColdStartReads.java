package dev.shardkit.benchmarks.transport;

import com.sun.management.OperatingSystemMXBean;
import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;

/**
 * Measures the cost of the first reads of a new JVM. Prints the CPU time of the whole process, which includes the JIT
 * compilers, and the median time of the second half of the reads. Each read fetches one uncompressed inner chunk of 4
 * KiB and the index of its shard. To compare two builds, start new processes of both in turn.
 *
 * <pre>ColdStartReads make FOLDER      writes the array
 * ColdStartReads URL READS        reads READS random inner chunks of it</pre>
 */
public final class ColdStartReads {
    /** The numbers of elements of an inner chunk, a shard and the array. */
    private static final int INNER = 2048;

    private static final int SHARD = 64 * INNER;
    private static final int LENGTH = 16 * SHARD;

    private ColdStartReads() {}

    /** Runs the benchmark. */
    public static void main(String[] args) {
        if (args[0].equals("make")) {
            make(args[1]);
        } else {
            read(args[0], Integer.parseInt(args[1]));
        }
    }

    private static void make(String folder) {
        ArraySpec spec = ArraySpec.of("int16", LENGTH).withShardShape(SHARD).withChunkShape(INNER);
        try (ZarrArray array = Zarr.createArray(folder, spec)) {
            short[] values = new short[LENGTH];
            for (int i = 0; i < LENGTH; i++) {
                values[i] = value(i);
            }
            array.write(array.domain(), values, 0);
        }
    }

    /** Returns the expected element at an index. */
    private static short value(int index) {
        return (short) (index * 31 + index / INNER);
    }

    private static void read(String url, int reads) {
        long[] nanos = new long[reads];
        Random random = new Random(1);
        try (ZarrArray array = Zarr.openArray(url, ZarrOptions.defaults().withCacheBytes(0))) {
            for (int i = 0; i < reads; i++) {
                int origin = random.nextInt(LENGTH / INNER) * INNER;
                long begun = System.nanoTime();
                short[] values = array.read(Box.of(new long[] {origin}, new long[] {INNER}))
                        .shorts();
                nanos[i] = System.nanoTime() - begun;
                if (values[7] != value(origin + 7)) {
                    throw new IllegalStateException("expected " + value(origin + 7) + ", found " + values[7]);
                }
            }
        }
        long[] secondHalf = Arrays.copyOfRange(nanos, reads / 2, reads);
        Arrays.sort(secondHalf);
        long cpu = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        System.out.printf(
                "%d reads: %,d ms of CPU, %,d us in the median of the second half%n",
                reads, cpu / 1_000_000, secondHalf[secondHalf.length / 2] / 1000);
    }
}
