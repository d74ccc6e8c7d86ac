package dev.shardkit.benchmarks.lab;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.shardkit.spi.array.Box;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One job for a Zarr library, as the lab (benchmarks/lab, which compares libraries) sends it in JSON. The lab's README
 * defines all fields. Immutable.
 *
 * @param op the operation: "read", "write" or "copy"
 * @param regions the regions to read or write; each is an offset and a shape
 * @param reps the number of measured repetitions
 * @param warmupReps the least number of repetitions before the measurement
 * @param warmupS the least time of these repetitions, in seconds
 * @param cache whether the library may cache values
 * @param threads the number of threads that the library may use; absent for its default
 * @param endpoint the server of an array in S3; absent for other arrays
 * @param readers the number of concurrent readers; absent if regions are read one after the other
 * @param style how many readers run: "threads", or "tasks" for coroutines
 * @param target the array that a copy is written to; absent for other jobs
 * @param source the raw file with the elements of a write; absent for other jobs
 * @param fresh whether each repetition of a write deletes all stored chunks first
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
