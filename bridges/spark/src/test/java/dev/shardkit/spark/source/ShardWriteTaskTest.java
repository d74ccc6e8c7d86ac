package dev.shardkit.spark.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spark.task.TaskFailure;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts of one task, as Spark makes them after failures and by speculation. */
class ShardWriteTaskTest {
    private static final int BEFORE = 6;
    private static final int AFTER = 16;

    @TempDir
    Path dir;

    private final byte[] mark = ActiveWriteCheck.uniqueMark();
    private WriteShards append;

    /** Prepares an append from the middle of shard 1 on: shards have 4 elements. */
    @BeforeEach
    void prepare() {
        ArraySpec spec = ArraySpec.of("int32", BEFORE).withChunkShape(2).withShardShape(4);
        try (ZarrArray array = Zarr.createArray(dir.toString(), spec);
                Store store = Zarr.openStore(dir.toString(), ZarrOptions.defaults())) {
            array.write(array.domain(), IntStream.range(0, BEFORE).toArray(), 0);
            OutputArray output = OutputArray.of("value", "", array.metadata().withShape(new long[] {AFTER}), false);
            Box added = Box.of(new long[] {BEFORE}, new long[] {AFTER - BEFORE});
            append = WriteShards.of(
                    store,
                    dir.toString(),
                    List.of("t"),
                    List.of(output),
                    added,
                    true,
                    new ActiveWriteCheck.Appending(mark, new long[] {BEFORE}));
            AppendMark.put(store, mark);
        }
    }

    /** Returns the rows of a shard of the append: each element is its coordinate. */
    private static Iterator<Row> rows(long shard) {
        long first = Math.max(BEFORE, (shard + 1) * 4);
        return LongStream.range(first, (shard + 2) * 4)
                .mapToObj(t -> RowFactory.create(shard, t, (int) t))
                .iterator();
    }

    private Map<String, String> shards() throws IOException {
        Map<String, String> shards = new TreeMap<>();
        try (Stream<Path> all = Files.walk(dir.resolve("c"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                shards.put(dir.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return shards;
    }

    private void resize(long length) {
        try (ZarrArray array = Zarr.openArray(dir.toString())) {
            array.resize(new long[] {length}, ResizePolicy.KEEP);
        }
    }

    @Test
    void attempts_storeTheSameBytes_alsoAtOnce() throws IOException {
        ShardWriteTask task = new ShardWriteTask(append);
        assertEquals(3, append.partitions());
        for (int shard = 0; shard < 3; shard++) {
            task.run(shard, rows(shard));
        }
        Map<String, String> once = shards();
        for (int shard = 0; shard < 3; shard++) {
            int number = shard;
            CompletableFuture<Void> other = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    task.run(number, rows(number));
                    other.complete(null);
                } catch (RuntimeException e) {
                    other.completeExceptionally(e);
                }
            });
            thread.start();
            task.run(shard, rows(shard));
            other.join();
        }
        assertEquals(once, shards());
        try (ZarrArray array = Zarr.openArray(dir.toString())) {
            assertArrayEquals(IntStream.range(0, BEFORE).toArray(), array.read().ints(), "not published");
        }
        resize(AFTER);
        try (ZarrArray array = Zarr.openArray(dir.toString())) {
            assertArrayEquals(IntStream.range(0, AFTER).toArray(), array.read().ints());
        }
    }

    @Test
    void attempt_afterTheEndOfTheWrite_changesNothing() throws IOException {
        ShardWriteTask task = new ShardWriteTask(append);
        resize(AFTER);
        Map<String, String> before = shards();
        for (Iterator<Row> rows : List.of(rows(1), List.<Row>of().iterator())) {
            String message =
                    assertThrows(TaskFailure.class, () -> task.run(1, rows)).getMessage();
            assertTrue(message.startsWith("shard c/2: ") && message.contains("this write has ended"), message);
        }
        assertEquals(before, shards());
    }

    /** Of two appends at once, one would otherwise publish shards of both. */
    @Test
    void attempt_afterAnotherAppendHasBegun_changesNothing() throws IOException {
        ShardWriteTask task = new ShardWriteTask(append);
        Map<String, String> before = shards();
        try (Store store = Zarr.openStore(dir.toString(), ZarrOptions.defaults())) {
            AppendMark earlier = AppendMark.put(store, mark);
            AppendMark later = AppendMark.put(store, ActiveWriteCheck.uniqueMark());
            assertThrows(TaskFailure.class, () -> task.run(1, rows(1)));
            assertEquals(before, shards());
            earlier.close();
            assertTrue(Files.exists(dir.resolve(AppendMark.KEY)), "the mark of the later append stays");
            later.close();
            assertFalse(Files.exists(dir.resolve(AppendMark.KEY)));
        }
    }

    @Test
    void shardWithoutRows_losesWhatAFailedAppendLeft() {
        ShardWriteTask task = new ShardWriteTask(append);
        for (int shard = 0; shard < 3; shard++) {
            task.run(shard, rows(shard));
        }
        for (int shard = 0; shard < 3; shard++) {
            task.run(shard, List.<Row>of().iterator());
        }
        resize(AFTER);
        try (ZarrArray array = Zarr.openArray(dir.toString())) {
            int[] expected = new int[AFTER];
            System.arraycopy(IntStream.range(0, BEFORE).toArray(), 0, expected, 0, BEFORE);
            assertArrayEquals(expected, array.read().ints());
        }
    }
}
