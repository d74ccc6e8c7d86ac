package dev.shardkit.spark.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spark.CopyJob;
import dev.shardkit.spark.StatsJob;
import dev.shardkit.spark.VerifyJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job tells while it runs and at its end. */
class JobProgressTest {
    private static final int SIDE = 96;
    private static JavaSparkContext spark;

    @TempDir
    static Path dir;

    private static volatile CountDownLatch told = new CountDownLatch(1);

    private final List<String> messages = Collections.synchronizedList(new ArrayList<>());

    @BeforeAll
    static void start() {
        spark = new JavaSparkContext(new SparkConf()
                .setMaster("local[2,2]") // a task may fail once
                .setAppName("tests")
                .set("spark.ui.enabled", "false")
                .set(JobProgress.INTERVAL, "0s"));
        ArraySpec spec = ArraySpec.of("int32", SIDE, SIDE)
                .withChunkShape(8, 8)
                .withShardShape(24, 24)
                .withCodecs(Codecs.zstd(1));
        int[] values = new Random(1).ints(SIDE * SIDE).toArray();
        try (ZarrArray array = Zarr.createArray(url("source"), spec)) {
            array.write(array.domain(), values, 0);
        }
    }

    @AfterAll
    static void stop() {
        spark.close();
    }

    private static String url(String name) {
        return dir.resolve(name).toString();
    }

    private void tell(String message) {
        messages.add(message);
        told.countDown();
    }

    private String last() {
        return messages.get(messages.size() - 1);
    }

    /** The last task ends after a line about the others. */
    @Test
    void linesCountTasks_andEstimateTheRest() {
        told = new CountDownLatch(1);
        List<Integer> results = Tasks.run(
                spark,
                "work",
                List.of(1, 2, 3),
                (input, options) -> {
                    options.listener().onRetry("key", 1, "a lost answer");
                    if (input == 3) {
                        await();
                    } else if (input == 2 && TaskContext.get().attemptNumber() == 0) {
                        throw new IllegalStateException("the first attempt");
                    }
                    return input;
                },
                "",
                this::tell);
        assertEquals(List.of(1, 2, 3), results);
        assertTrue(
                messages.get(0).matches("work: [12] of 3 tasks, 0 bytes read, 0 bytes written, about .+ s left"),
                messages::toString);
        assertTrue(
                last().matches("work: 3 tasks in .+ s, 0 bytes read, 0 bytes written, 3 requests and 1 task retried"),
                messages::toString);
    }

    private static void await() {
        try {
            assertTrue(told.await(120, TimeUnit.SECONDS), "no line");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void copies_tellTheirBytes() throws IOException {
        CopyJob.of(url("source"), url("copy"))
                .withShardShape(48, 48)
                .withMessages(this::tell)
                .run(spark);
        String bytes = stored("copy") + " written, 0 requests and 0 tasks retried";
        assertTrue(last().endsWith(bytes), messages + ", expected " + bytes);
        assertTrue(!last().contains(" 0 bytes read"), last());
    }

    /** Objects that are copied as they are count, too. */
    @Test
    void unchangedCopies_tellTheirBytes() throws IOException {
        CopyJob.of(url("source"), url("same")).withMessages(this::tell).run(spark);
        Matcher bytes = Pattern.compile(" ([0-9.]+) kB read, (.*) written").matcher(last());
        assertTrue(bytes.find(), last());
        assertEquals(stored("same"), bytes.group(2));
        double chunks = Double.parseDouble(stored("source").replace(" kB", ""));
        assertTrue(Double.parseDouble(bytes.group(1)) >= chunks, last() + ", and each task reads the document");
    }

    @Test
    void checksAndStatistics_tellTheirBytes() {
        VerifyJob.of(url("source")).withTasks(3).withMessages(this::tell).run(spark, finding -> {});
        assertTrue(last().startsWith("verify ") && last().contains(": 3 tasks in "), last());
        assertTrue(!last().contains(" 0 bytes read"), last());
        StatsJob.of(url("source")).withMessages(this::tell).run(spark);
        assertTrue(last().startsWith("stats ") && last().endsWith("0 tasks retried"), last());
        assertTrue(!last().contains(" 0 bytes read"), last());
    }

    /** Returns the size of the chunks of an array, in words. */
    private static String stored(String name) throws IOException {
        long sum = 0;
        try (var files = Files.walk(dir.resolve(name).resolve("c"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sum += Files.size(file);
            }
        }
        return TrafficCounters.text(sum);
    }

    @Test
    void words() {
        assertEquals("999 bytes", TrafficCounters.text(999));
        assertEquals("1.5 kB", TrafficCounters.text(1500));
        assertEquals("2.0 GB", TrafficCounters.text(2_000_000_000L));
        assertEquals("1 s", JobProgress.text(Duration.ZERO));
        assertEquals("1 min 5 s", JobProgress.text(Duration.ofSeconds(65)));
        assertEquals("2 h 1 min", JobProgress.text(Duration.ofSeconds(7290)));
        assertEquals(Duration.ofSeconds(30), JobProgress.left(TimeUnit.SECONDS.toNanos(10), 1, 4));
    }
}
