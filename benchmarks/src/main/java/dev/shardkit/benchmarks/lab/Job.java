package dev.shardkit.benchmarks.lab;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.shardkit.spi.array.Box;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One job as the lab sends it; its README says what each field means. A value.
 *
 * @param regions each an offset and a shape
 * @param threads how many threads may be used, absent for the default
 * @param endpoint the server of an array in S3, absent for others
 * @param readers how many readers read at once, absent if one reads after the other
 * @param style of many readers: "threads" or "tasks"
 * @param target the array that a copy is written to, absent for other jobs
 * @param source the raw file that a write takes its data from, absent for reads
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Job(
        String op,
        String array,
        String dtype,
        List<long[][]> regions,
        int reps,
        int warmupReps,
        double warmupS,
        boolean cache,
        @Nullable Integer threads,
        @Nullable String endpoint,
        @Nullable Integer readers,
        @Nullable String style,
        @Nullable String target,
        @Nullable String source,
        boolean fresh) {

    boolean isWrite() {
        return op.equals("write") || op.equals("copy");
    }

    List<Box> boxes() {
        return regions.stream().map(region -> Box.of(region[0], region[1])).toList();
    }

    OptionalInt parallelism() {
        return threads == null ? OptionalInt.empty() : OptionalInt.of(threads);
    }

    String copyTarget() {
        if (target == null) {
            throw new IllegalArgumentException("a copy needs a target");
        }
        return target;
    }

    String rawFile() {
        if (source == null) {
            throw new IllegalArgumentException("a write needs a source");
        }
        return source;
    }
}
