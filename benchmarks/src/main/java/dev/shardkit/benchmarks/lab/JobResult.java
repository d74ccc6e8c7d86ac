package dev.shardkit.benchmarks.lab;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The driver's response to a job, which it sends to the lab in JSON. Immutable.
 *
 * @param reps the seconds of each repetition: the sum over its regions, or the elapsed time if there are many readers
 * @param crc one CRC-32 for each repetition, of the elements that were read; absent for writes
 * @param p50Us the median time of a region in microseconds; {@code p95Us}, {@code p99Us} and {@code minUs} likewise
 * @param openS the time to open the array, in seconds
 * @param unsupported whether shardkit does not support the job; absent if the job succeeded
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record JobResult(
        boolean ok,
        @Nullable List<Double> reps,
        @Nullable List<String> crc,
        @Nullable Double p50Us,
        @Nullable Double p95Us,
        @Nullable Double p99Us,
        @Nullable Double minUs,
        @Nullable Double openS,
        @Nullable String error,
        @Nullable Boolean unsupported) {
    /** Longer stack traces are cut to this number of characters. */
    private static final int LONGEST_ERROR = 600;

    static JobResult of(List<Double> reps, @Nullable List<String> crc, long[] nanos, double openSeconds) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        int last = sorted.length - 1;
        return new JobResult(
                true,
                reps,
                crc,
                sorted[sorted.length / 2] / 1e3,
                sorted[Math.min(last, sorted.length * 95 / 100)] / 1e3,
                sorted[Math.min(last, sorted.length * 99 / 100)] / 1e3,
                sorted[0] / 1e3,
                openSeconds,
                null,
                null);
    }

    static JobResult failed(Throwable cause, Kind kind) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text));
        String error = text.toString();
        return new JobResult(
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                error.substring(0, Math.min(LONGEST_ERROR, error.length())),
                kind == Kind.UNSUPPORTED);
    }

    /** The reason why a job has no result. */
    enum Kind {
        FAILED,
        UNSUPPORTED
    }
}
