package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jobs in {@code local[2]}. */
class LocalJobsTest {
    private static JavaSparkContext spark;

    @TempDir
    static Path dir;

    private static String source;

    @BeforeAll
    static void start() {
        spark = new JavaSparkContext(
                new SparkConf().setMaster("local[2]").setAppName("tests").set("spark.ui.enabled", "false"));
        source = dir.resolve("source").toString();
        Sample.make(source);
    }

    @AfterAll
    static void stop() {
        spark.close();
    }

    private static String url(String name) {
        return dir.resolve(name).toString();
    }

    @Test
    void reshard_hasTheBytesOfTheCommand_andSkipsWhatIsNotStored() throws IOException {
        List<String> plan = new ArrayList<>();
        CopyJob.Summary summary = CopyJob.of(source, url("resharded"))
                .withShardShape(48, 48)
                .withTasks(2)
                .withMessages(plan::add)
                .run(spark);
        assertEquals(new CopyJob.Summary(4, 3, 0, 2), summary);
        assertTrue(
                plan.get(0).contains("3 of 4 shards may hold data; 2 tasks; the tasks of an executor need up to"),
                plan.get(0));
        Sample.assertCopied(url("resharded"), 48, 48);
        try (ZarrArray from = Zarr.openArray(source)) {
            Copy.of(from).withShardShape(48, 48).to(FileStore.at(dir.resolve("by-command")), ZarrOptions.defaults());
        }
        for (String name : List.of("zarr.json", "c/0/1", "c/1/0", "c/1/1")) {
            assertArrayEquals(
                    Files.readAllBytes(dir.resolve("by-command/" + name)),
                    Files.readAllBytes(dir.resolve("resharded/" + name)),
                    name);
        }
        assertFalse(Files.exists(dir.resolve("resharded/c/0/0")));
    }

    @Test
    void commands_haveTheWordsOfTheCli() throws IOException {
        assertEquals(0, Main.run("copy", source, url("copied"), "--codecs", "gzip:1", "--index-location", "start"));
        Sample.assertCopied(url("copied"), 24, 24);
        assertEquals(
                0, Main.run("aggregate", source, url("aggregated"), "--chunk-shape", "4,4", "--shard-shape", "none"));
        Sample.assertCopied(url("aggregated"), 4, 4);
        assertEquals(1, Main.run("reshard", source, url("copied"), "--shard-shape", "48,48"), "it exists");
        assertEquals(0, Main.run("reshard", source, url("copied"), "--shard-shape", "48,48", "--overwrite"));
        Sample.assertCopied(url("copied"), 48, 48);
        assertEquals(2, Main.run("reshard", source, url("new"), "--shard-shape", "20,20"), "no multiple of 8,8");
        assertEquals(2, Main.run("reshard", source, url("new"), "--shard-shape", "big"));
        assertEquals(2, Main.run("copy", source));
        assertEquals(
                "shardkit: there is no command \"copyy\"; did you mean copy? (see dev.shardkit.spark.Main --help)",
                said(2, "copyy"));
        assertTrue(said(1, "copy", source, url("copied")).contains("--overwrite"));
        assertEquals(0, Main.run("stats", source));
        assertEquals(0, Main.run("verify", source));
        assertEquals(
                0,
                Main.run("reshard", source, url("coded"), "--shard-shape", "48,48", "--codecs", "gzip:1"),
                "other codecs");
        Sample.assertCopied(url("coded"), 48, 48);
        assertTrue(Files.readString(dir.resolve("coded/zarr.json")).contains("gzip"));
    }

    @Test
    void repeatedJob_tellsWhatItSkipped() throws IOException {
        Sample.make(url("mended"));
        Path shard = dir.resolve("mended/c/3/3");
        byte[] sound = Files.readAllBytes(shard);
        Files.write(shard, new byte[] {1});
        CopyJob job = CopyJob.of(url("mended"), url("repeated"))
                .withShardShape(48, 48)
                .withTasks(3); // two at once, so at least one of them ends before the third one fails
        assertThrows(StoreException.class, () -> job.run(spark));
        Files.write(shard, sound);
        long skipped = job.run(spark).skipped();
        assertTrue(skipped == 1 || skipped == 2, "skipped " + skipped);
        Sample.assertCopied(url("repeated"), 48, 48);
    }

    @Test
    void planesBecomeColumns_inTwoPasses() {
        int[] values = IntStream.range(0, 16 * 16 * 16).toArray();
        try (ZarrArray array = Zarr.createArray(
                url("planes"), ArraySpec.of("int32", 16, 16, 16).withChunkShape(1, 16, 16))) {
            array.write(array.domain(), values, 0);
        }
        List<String> plan = new ArrayList<>();
        CopyJob job = CopyJob.of(url("planes"), url("columns"))
                .withShardShape(16, 4, 4)
                .withChunkShape(16, 2, 2)
                .withMessages(plan::add);
        CopyJob.Summary summary = job.withMaxMemory(3 * 4 * 4 * 16 * 16).run(spark);
        assertEquals(16, summary.touched());
        assertTrue(plan.get(0).contains(" with shards of [4, 16, 16] and inner chunks of "), plan.get(0));
        List<String> passes =
                plan.stream().filter(line -> line.contains("may hold data")).toList();
        assertTrue(passes.get(0).contains("pass 1: 4 of 4 shards may hold data"), plan::toString);
        assertTrue(passes.get(1).contains("pass 2: 16 of 16 shards may hold data"), plan::toString);
        try (ZarrArray columns = Zarr.openArray(url("columns"))) {
            assertArrayEquals(values, columns.read().ints());
            assertArrayEquals(new long[] {16, 4, 4}, columns.storedChunkShape());
        }
        assertFalse(Files.exists(dir.resolve("columns/__rechunk")));
        String refused = assertThrows(
                        UnsupportedException.class,
                        () -> job.overwriting().withMaxMemory(1000).run(spark))
                .getMessage();
        assertTrue(refused.contains("expected at most"), refused);
        assertEquals(
                0,
                Main.run(
                        "reshard",
                        url("planes"),
                        url("columns"),
                        "--shard-shape",
                        "16,16,16",
                        "--max-memory",
                        "1m",
                        "--overwrite"));
        assertEquals(2, Main.run("reshard", url("planes"), url("x"), "--shard-shape", "16,16,16", "--max-memory", "x"));
    }

    /** Runs a command and returns what it prints to standard error. */
    private static String said(int status, String... args) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertEquals(status, Main.run(args));
        } finally {
            System.setErr(before);
        }
        List<String> lines = bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("shardkit: "))
                .toList();
        assertEquals(1, lines.size(), bytes::toString);
        return lines.get(0);
    }

    @Test
    void statsAndVerify_haveTheFiguresOfOneMachine() {
        try (ZarrArray array = Zarr.openArray(source)) {
            assertEquals(
                    Statistics.of(array).withBins(9).run(),
                    StatsJob.of(source).withBins(9).run(spark));
            array.changeAttributes(now -> now.with("scale_factor", Json.of(0.5)));
            assertEquals(List.of("scale_factor"), StatsJob.of(source).run(spark).notApplied());
            assertEquals(
                    Verification.of(array).run(finding -> {}),
                    VerifyJob.of(source).withTasks(3).run(spark, finding -> {}));
        }
    }

    @Test
    void damage_isOneErrorOfTheDriver_andNothingIsVisible() throws IOException {
        Sample.make(url("damaged"));
        Path shard = dir.resolve("damaged/c/3/3");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[0] ^= 1;
        Files.write(shard, bytes);
        CopyJob job = CopyJob.of(url("damaged"), url("copy"))
                .withShardShape(48, 48)
                .withChunkShape(16, 16); // other chunks: they are decoded
        String message =
                assertThrows(StoreException.class, () -> job.run(spark)).getMessage();
        assertTrue(message.contains("c/3/3") && message.contains("run the job again"), message);
        assertFalse(message.contains("\n"), message);
        assertTrue(message.contains("failed: shards "), message);
        assertFalse(message.contains("counted over all arrays"), message);
        String part = assertThrows(
                        StoreException.class,
                        () -> StatsJob.of(url("damaged")).withTasks(3).run(spark))
                .getMessage();
        assertTrue(part.contains(" failed: part 3/3: "), part);
        assertFalse(Files.exists(dir.resolve("copy/zarr.json")));
        List<String> findings = new ArrayList<>();
        assertEquals(1, VerifyJob.of(url("damaged")).run(spark, findings::add).errors());
        assertTrue(findings.get(0).contains("c/3/3"), findings::toString);
        bytes[0] ^= 1;
        Files.write(shard, bytes);
        Object key = Files.readAttributes(dir.resolve("copy/c/0/1"), java.nio.file.attribute.BasicFileAttributes.class)
                .fileKey();
        job.run(spark);
        Sample.assertCopied(url("copy"), 48, 48);
        assertEquals(
                key,
                Files.readAttributes(dir.resolve("copy/c/0/1"), java.nio.file.attribute.BasicFileAttributes.class)
                        .fileKey(),
                "it was skipped");
    }

    @Test
    void shardsThatDoNotFitIntoMemory_areRefusedWithTheFigure() {
        Zarr.createArray(url("huge"), ArraySpec.of("int64", 1L << 20, 1L << 20).withChunkShape(64, 64))
                .close();
        String message = assertThrows(UnsupportedException.class, () -> CopyJob.of(url("huge"), url("t"))
                        .withShardShape(1 << 17, 1 << 17)
                        .run(spark))
                .getMessage();
        assertTrue(message.contains("need 524416 MiB for 2 cores"), message);
        String image = assertThrows(UnsupportedException.class, () -> PyramidJob.of(
                                url("huge"), url("t"), pyramid -> pyramid.withShardShape(1 << 17, 1 << 17))
                        .run(spark))
                .getMessage();
        assertTrue(image.contains("for 2 cores at once"), image);
        assertFalse(Files.exists(dir.resolve("t")));
    }

    @Test
    void badInput_failsBeforeAnythingIsWritten() {
        assertThrows(
                ZarrException.class, () -> CopyJob.of(url("missing"), url("t")).run(spark));
        assertThrows(
                IllegalArgumentException.class,
                () -> CopyJob.of(source, url("t")).withShardShape(20, 20).run(spark));
        String zip = assertThrows(ZarrException.class, () -> CopyJob.of(source, "zip:" + url("t.zip") + "!")
                        .run(spark))
                .getMessage();
        assertTrue(zip.contains("one process"), zip);
        String itself = assertThrows(IllegalArgumentException.class, () -> CopyJob.of(url("source"), source)
                        .run(spark))
                .getMessage();
        assertTrue(itself.contains("overlap"), itself);
        assertFalse(Files.exists(dir.resolve("t")));
    }
}
