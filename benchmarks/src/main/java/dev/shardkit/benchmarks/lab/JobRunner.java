package dev.shardkit.benchmarks.lab;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs the jobs of the lab with shardkit. Times only the reads and writes, without their preparation and checks. */
final class JobRunner {
    private final ShardkitPeer settings;

    JobRunner(ShardkitPeer settings) {
        this.settings = settings;
    }

    JobResult run(Job job) throws IOException {
        switch (job.op()) {
            case "read":
                return job.readers() == null ? read(job) : new Crowd(job, settings.options(job)).run();
            case "write":
                return write(job);
            case "copy":
                return new RegionCopy(job, settings.options(job)).run();
            default:
                throw new UnsupportedOperationException("op " + job.op());
        }
    }

    /** Reads regions one after the other. Opens the array again for each repetition, so that caches are empty. */
    private JobResult read(Job job) throws IOException {
        ZarrOptions options = settings.options(job);
        List<Box> boxes = job.boxes();
        long begun = System.nanoTime();
        ZarrArray first = Zarr.openArray(job.array(), options);
        double openSeconds = (System.nanoTime() - begun) / 1e9;
        first.close();
        return new Repetitions(job).run(openSeconds, crc -> {
            long[] nanos = new long[boxes.size()];
            try (ZarrArray array = Zarr.openArray(job.array(), options)) {
                for (int i = 0; i < nanos.length; i++) {
                    long start = System.nanoTime();
                    NdArray values = array.read(boxes.get(i));
                    nanos[i] = System.nanoTime() - start;
                    ElementBytes.update(crc, values.array());
                }
            }
            return nanos;
        });
    }

    /** Writes regions one after the other, from a file with their elements. */
    private JobResult write(Job job) throws IOException {
        List<Box> boxes = job.boxes();
        long count = boxes.stream().mapToLong(Box::count).sum();
        Object values = ElementBytes.load(Path.of(job.rawFile()), job.dtype(), Math.toIntExact(count));
        long begun = System.nanoTime();
        try (ZarrArray array = Zarr.openArray(job.array(), settings.options(job))) {
            double openSeconds = (System.nanoTime() - begun) / 1e9;
            return new Repetitions(job).run(openSeconds, crc -> {
                if (job.fresh()) {
                    delete(Path.of(job.array(), "c"));
                }
                long[] nanos = new long[boxes.size()];
                int at = 0;
                for (int i = 0; i < nanos.length; i++) {
                    long start = System.nanoTime();
                    array.write(boxes.get(i), values, at);
                    nanos[i] = System.nanoTime() - start;
                    at += (int) boxes.get(i).count();
                }
                return nanos;
            });
        }
    }

    /** Deletes a directory and everything below it. */
    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(tree)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
