package dev.shardkit.benchmarks.lab;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.zip.CRC32;

/**
 * Runs a read job of the lab with many concurrent readers of one open array. Each reader takes the next unread region,
 * reads it, and computes its checksum. Readers are blocking threads ({@link ParallelThreads}) or coroutines
 * ({@code CoroutineCrowd}).
 */
public final class Crowd {
    private final Job job;
    private final ZarrOptions options;
    private final List<Box> boxes;
    private final AtomicInteger next = new AtomicInteger();
    /** The latency of the last read of each region. */
    private final long[] nanos;
    /** The checksum of the elements of each region. */
    private final int[] crcs;

    Crowd(Job job, ZarrOptions options) {
        this.job = job;
        this.options = options;
        this.boxes = job.boxes();
        this.nanos = new long[boxes.size()];
        this.crcs = new int[boxes.size()];
    }

    JobResult run() throws IOException {
        long warmUpEnd = System.nanoTime() + (long) (job.warmupS() * 1e9);
        for (int i = 0; i < job.warmupReps() || (i > 0 && System.nanoTime() < warmUpEnd); i++) {
            once();
        }
        List<Double> seconds = new ArrayList<>();
        List<String> checks = new ArrayList<>();
        LongStream all = LongStream.empty();
        for (int i = 0; i < Math.max(1, job.reps()); i++) {
            seconds.add(once());
            checks.add(check());
            all = LongStream.concat(all, LongStream.of(nanos.clone()));
        }
        return JobResult.of(seconds, checks, all.toArray(), 0);
    }

    /** Reads all regions, and returns the elapsed seconds. */
    private double once() throws IOException {
        next.set(0);
        int readers = Objects.requireNonNull(job.readers());
        try (ZarrArray array = Zarr.openArray(job.array(), options)) {
            long begun = System.nanoTime();
            if ("tasks".equals(job.style())) {
                CoroutineCrowd.run(this, array, readers);
            } else {
                ParallelThreads.run(readers, () -> {
                    read(array);
                    return null;
                });
            }
            return (System.nanoTime() - begun) / 1e9;
        }
    }

    private void read(ZarrArray array) {
        for (int i = take(); i >= 0; i = take()) {
            long begun = System.nanoTime();
            arrived(i, array.read(box(i)), begun);
        }
    }

    /** Takes the next region; returns its number, or -1 if there is none. */
    public int take() {
        int taken = next.getAndIncrement();
        return taken < boxes.size() ? taken : -1;
    }

    /** Returns a region. */
    public Box box(int number) {
        return boxes.get(number);
    }

    /** Records the latency and the checksum of a read that began at {@code begun}, by {@link System#nanoTime}. */
    public void arrived(int number, NdArray values, long begun) {
        nanos[number] = System.nanoTime() - begun;
        CRC32 crc = new CRC32();
        ElementBytes.update(crc, values.array());
        crcs[number] = (int) crc.getValue();
    }

    /** Returns the CRC-32 of the checksums of all regions, in the order of the regions. */
    private String check() {
        ByteBuffer all = ByteBuffer.allocate(Integer.BYTES * crcs.length).order(ByteOrder.LITTLE_ENDIAN);
        all.asIntBuffer().put(crcs);
        CRC32 crc = new CRC32();
        crc.update(all);
        return String.format("%08x", crc.getValue());
    }
}
