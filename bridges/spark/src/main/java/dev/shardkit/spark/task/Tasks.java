package dev.shardkit.spark.task;

import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Part;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.policy.WriteOwnership;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** Runs the tasks of a job on Spark's executors, with progress messages and readable failures. Stateless. */
public final class Tasks {
    /** So many that cores whose tasks end early get others. */
    private static final int TASKS_PER_CORE = 16;

    /** The limit on tasks, each of which costs Spark's driver memory and time. */
    private static final int MAX_TASKS = 10_000;

    private Tasks() {}

    /**
     * Work of one task. It may run twice, even concurrently.
     *
     * @param <T> the input
     * @param <R> the result
     */
    public interface Work<T, R> extends Serializable {
        /** Runs the work. It must open stores and nodes with these options, which count bytes and retries. */
        R run(T input, ZarrOptions options);

        /** Returns the name of an input in the message of a failure. */
        default String name(T input) {
            return String.valueOf(input);
        }
    }

    /** Returns a number of tasks that keeps all cores busy, even if some tasks take longer. */
    public static int count(JavaSparkContext spark) {
        return Math.min(MAX_TASKS, Math.max(1, spark.defaultParallelism()) * TASKS_PER_CORE);
    }

    /**
     * Runs one task for each input and returns their results.
     *
     * @param name what Spark's UI shows
     * @param after what the message of a failure adds
     * @param messages receives the progress as lines of text and, after all tasks, the bytes and retries
     * @throws StoreException if a task failed as often as Spark allows
     */
    public static <T, R> List<R> run(
            JavaSparkContext spark,
            String name,
            List<T> inputs,
            Work<T, R> work,
            String after,
            Consumer<String> messages) {
        if (inputs.isEmpty()) {
            return List.of();
        }
        TrafficCounters counters = new TrafficCounters(spark);
        try (JobProgress progress = JobProgress.of(spark, name, inputs.size(), counters, messages)) {
            List<R> results = collect(
                    spark,
                    name,
                    spark.parallelize(inputs, inputs.size()).map(input -> attempt(input, work, counters)),
                    after);
            progress.end();
            return results;
        }
    }

    /**
     * Runs the tasks of {@code results} and returns their results. Tasks throw {@link TaskFailure}.
     *
     * @param name what Spark's UI shows
     * @param after what the message of a failure adds
     * @throws StoreException if a task failed as often as Spark allows
     */
    public static <R> List<R> collect(JavaSparkContext spark, String name, JavaRDD<R> results, String after) {
        spark.setJobDescription(name);
        try {
            return results.collect();
        } catch (Exception e) { // SparkException is checked, but Scala does not declare it, so javac refuses its name
            if (e instanceof SparkException) {
                throw new StoreException(name + " failed: " + message(e) + after, e);
            }
            throw e;
        } finally {
            spark.setJobDescription(null);
        }
    }

    /** The work of one of {@code parts} parts. The input is the number of the part. */
    private record PartWork<R>(Work<Part, R> work, int parts) implements Work<Integer, R> {
        @Override
        public R run(Integer number, ZarrOptions options) {
            return work.run(new Part(number, parts), options);
        }

        @Override
        public String name(Integer number) {
            return "part " + number + "/" + parts;
        }
    }

    /**
     * Runs one task for each part of {@code parts}, in the manner of {@link #run}.
     *
     * @throws StoreException if a task failed as often as Spark allows
     */
    public static <R> List<R> runParts(
            JavaSparkContext spark,
            String name,
            int parts,
            Work<Part, R> work,
            String after,
            Consumer<String> messages) {
        List<Integer> numbers = IntStream.rangeClosed(1, parts).boxed().toList();
        return run(spark, name, numbers, new PartWork<>(work, parts), after, messages);
    }

    /** Runs one attempt of a task on an executor. */
    private static <T, R> R attempt(T input, Work<T, R> work, TrafficCounters counters) {
        return TaskFailure.named(work.name(input), () -> counters.count(input, work, options()));
    }

    /** Returns the message of the task's failure, or the first line of Spark's own message. */
    private static String message(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(TaskFailure.class::isInstance)
                .findFirst()
                .map(Throwable::getMessage)
                .orElseGet(() ->
                        String.valueOf(failure.getMessage()).lines().findFirst().orElse("no message"));
    }

    /** Returns the options of a task: as many threads as Spark gives it cores. */
    public static ZarrOptions options() {
        TaskContext task = TaskContext.get();
        int cores = task == null ? 1 : task.cpus();
        return ZarrOptions.defaults().withParallelism(cores).withOwnership(WriteOwnership.OWNED);
    }
}
