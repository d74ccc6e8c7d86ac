package dev.shardkit.benchmarks.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** Runs the warm-up and the measured repetitions of a job. The time of a repetition is the sum over its regions. */
final class Repetitions {
    /** One repetition. Returns the nanoseconds of each region, and adds the bytes that it reads to {@code crc}. */
    interface Repetition {
        long[] run(CRC32 crc) throws IOException;
    }

    private final Job job;

    Repetitions(Job job) {
        this.job = job;
    }

    JobResult run(double openSeconds, Repetition repetition) throws IOException {
        warmUp(repetition);
        List<Double> seconds = new ArrayList<>();
        List<String> crcs = new ArrayList<>();
        long[] allNanos = new long[0];
        for (int i = 0; i < Math.max(1, job.reps()); i++) {
            CRC32 crc = new CRC32();
            long[] nanos = repetition.run(crc);
            seconds.add(Arrays.stream(nanos).sum() / 1e9);
            crcs.add(String.format("%08x", crc.getValue()));
            int before = allNanos.length;
            allNanos = Arrays.copyOf(allNanos, before + nanos.length);
            System.arraycopy(nanos, 0, allNanos, before, nanos.length);
        }
        return JobResult.of(seconds, job.isWrite() ? null : crcs, allNanos, openSeconds);
    }

    private void warmUp(Repetition repetition) throws IOException {
        long begun = System.nanoTime();
        int done = 0;
        while (done < job.warmupReps() || (done > 0 && (System.nanoTime() - begun) / 1e9 < job.warmupS())) {
            repetition.run(new CRC32());
            done++;
        }
    }
}
