package dev.shardkit.benchmarks.lab;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a copy job: copies regions from one array to another. Each of the job's readers copies one region at a time. */
final class RegionCopy {
    private final Job job;
    private final ZarrOptions options;
    private final List<Box> boxes;
    private final long[] nanos;

    RegionCopy(Job job, ZarrOptions options) {
        this.job = job;
        this.options = options;
        this.boxes = job.boxes();
        this.nanos = new long[boxes.size()];
    }

    JobResult run() throws IOException {
        AtomicInteger next = new AtomicInteger();
        long opened = System.nanoTime();
        try (ZarrArray source = Zarr.openArray(job.array(), options);
                ZarrArray target = Zarr.openArray(job.copyTarget(), options)) {
            long begun = System.nanoTime();
            ParallelThreads.run(Objects.requireNonNull(job.readers()), () -> {
                for (int i = next.getAndIncrement(); i < nanos.length; i = next.getAndIncrement()) {
                    copy(source, target, i);
                }
                return null;
            });
            double seconds = (System.nanoTime() - begun) / 1e9;
            return JobResult.of(List.of(seconds), null, nanos, (begun - opened) / 1e9);
        }
    }

    private void copy(ZarrArray source, ZarrArray target, int region) {
        long begun = System.nanoTime();
        target.write(boxes.get(region), source.read(boxes.get(region)).array(), 0);
        nanos[region] = System.nanoTime() - begun;
    }
}
