package dev.shardkit.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.maintenance.PartedCopy;
import dev.shardkit.maintenance.PartedRechunk;
import dev.shardkit.maintenance.RechunkPlan;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans of copies to other chunks, and copies in two passes. */
@Timeout(300)
class RechunkTest {
    private final Sealed sealed = new Sealed();

    @TempDir
    Path dir;

    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }

    private static long[] lengths(Random random, int rank, int most) {
        return IntStream.range(0, rank).mapToLong(d -> 1 + random.nextInt(most)).toArray();
    }

    private static double product(long[] lengths, long[] most) {
        double product = 1;
        for (int d = 0; d < lengths.length; d++) {
            product *= Math.min(lengths[d], most[d]);
        }
        return product;
    }

    /** Returns how often a chunk is read on average, by looking at each shard. */
    private static double reads(long[] shape, long[] source, long[] target) {
        double reads = 1;
        for (int d = 0; d < shape.length; d++) {
            long touched = 0;
            for (long begin = 0; begin < shape[d]; begin += target[d]) {
                long end = Math.min(shape[d], begin + target[d]);
                touched += ceilDiv(end, source[d]) - begin / source[d];
            }
            reads *= (double) touched / ceilDiv(shape[d], source[d]);
        }
        return reads;
    }

    @Test
    void eachPassOfAPlan_readsEachChunkOnce() {
        Random seeds = new Random(20261126);
        int planned = 0;
        for (int i = 0; i < 20_000; i++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            int rank = 1 + random.nextInt(4);
            long[] shape = lengths(random, rank, 90);
            long[] source = lengths(random, rank, 30);
            long[] target = lengths(random, rank, 30);
            long bytes = 1 + random.nextInt(200_000);
            String seen = "seed " + seed + ": " + Arrays.toString(shape) + " " + Arrays.toString(source) + " to "
                    + Arrays.toString(target) + " in " + bytes;
            RechunkPlan plan;
            try {
                plan = RechunkPlan.of(shape, source, target, 2, bytes);
            } catch (UnsupportedException e) {
                assertTrue(3 * 2 * Math.max(product(source, shape), product(target, shape)) > bytes, seen);
                continue;
            }
            assertTrue(plan.taskBytes() <= bytes, seen + plan);
            double direct = reads(shape, source, target);
            assertEquals(direct <= 3, plan.isDirect(), seen + plan);
            if (plan.isDirect()) {
                assertEquals(direct * product(shape, shape) * 2, plan.readBytes(), 1e-6 * plan.readBytes(), seen);
                continue;
            }
            planned++;
            long[] shard = plan.shardShape();
            long[] chunk = plan.chunkShape();
            for (int d = 0; d < rank; d++) {
                assertEquals(0, shard[d] % chunk[d], seen + plan);
                assertTrue(shard[d] >= shape[d] || shard[d] % source[d] == 0, seen + plan);
                assertTrue(target[d] >= shape[d] || target[d] % chunk[d] == 0, seen + plan);
            }
            assertEquals(1, reads(shape, source, shard), seen + plan);
            assertEquals(1, reads(shape, chunk, target), seen + plan);
        }
        assertTrue(planned > 2_000, planned + " plans");
    }

    @Test
    void innerChunksAreAsLargeAsTheMemoryAllows() {
        long[] shape = {1000, 2000, 2000};
        RechunkPlan plan = RechunkPlan.of(shape, new long[] {1, 2000, 2000}, new long[] {1000, 20, 20}, 2, 1L << 30);
        assertArrayEquals(new long[] {32, 20, 20}, plan.chunkShape());
        assertArrayEquals(new long[] {32, 2000, 2000}, plan.shardShape());
        assertTrue(
                plan.toString()
                        .startsWith("two passes, because one pass would decode each chunk of the source 10000 times on "
                                + "average; intermediate array of up to 7630 MiB with shards of [32, 2000, 2000] and "
                                + "inner chunks of [32, 20, 20]; decodes 14.9 GiB and encodes 14.9 GiB; each task "
                                + "needs 733 MiB"),
                plan.toString());
        assertTrue(RechunkPlan.of(shape, new long[] {10, 100, 100}, new long[] {20, 200, 200}, 2, 1L << 30)
                .isDirect());
        String refused = assertThrows(
                        UnsupportedException.class,
                        () -> RechunkPlan.of(
                                shape, new long[] {1, 2000, 2000}, new long[] {1000, 20, 20}, 2, 20L << 20))
                .getMessage();
        assertTrue(
                refused.contains(
                        "a chunk of the source of [1, 2000, 2000] with 2 bytes for each element needs 24000000 bytes"),
                refused);
        RechunkPlan long1d = RechunkPlan.of(new long[] {1L << 40}, new long[] {1L << 30}, new long[] {7}, 8, 1L << 40);
        assertArrayEquals(new long[] {7}, long1d.chunkShape());
    }

    /** A source of planes, and a copy of columns. */
    private final class Scene implements AutoCloseable {
        private final ZarrArray from;
        private final Store to;
        private final Store between;
        private final String target;

        Scene(String name, long stopsTarget, long stopsBetween) {
            String url = dir.resolve("source").toString();
            var options = sealed.options().withDurability(Durability.ATOMIC);
            if (!Files.exists(dir.resolve("source"))) {
                ArraySpec spec = ArraySpec.of("int32", 9, 10, 14)
                        .withChunkShape(1, 10, 14)
                        .withCodecs(Sealed.named())
                        .withDimensionNames("z", "y", "x")
                        .withAttributes(Json.object().with("unit", Json.of("m")));
                try (ZarrArray array = Zarr.createArray(url, spec, Zarr.Existing.REFUSE, options)) {
                    array.write(array.domain(), numbers(), 0);
                }
            }
            from = Zarr.openArray(url, options);
            target = dir.resolve(name).toString();
            to = new Stopping(Zarr.openStore(target, options), stopsTarget);
            between = new Stopping(Zarr.openStore(target + "/" + PartedRechunk.FOLDER, options), stopsBetween);
        }

        Copy copy() {
            return Copy.of(from).withShardShape(9, 4, 4).withChunkShape(9, 2, 2);
        }

        PartedRechunk passes(Copy copy) {
            var options = sealed.options().withDurability(Durability.ATOMIC);
            RechunkPlan plan = PartedRechunk.plan(copy, options, 3 * 4 * 10 * 14 * 3);
            assertFalse(plan.isDirect());
            return PartedRechunk.of(copy, plan, to, between, options);
        }

        void run(Copy copy, boolean both) {
            PartedRechunk passes = passes(copy);
            if (!passes.begin()) {
                if (!passes.isFirstDone()) {
                    passes.first().begin();
                    write(passes.first());
                    passes.publishFirst();
                }
                if (!both) {
                    return;
                }
                PartedCopy second = passes.second();
                second.begin();
                write(second);
                second.publish();
            }
            passes.finish();
        }

        private static void write(PartedCopy copy) {
            copy.split(2).forEach(copy::write);
        }

        void assertCopied(String when) {
            try (ZarrArray copied = Zarr.openArray(target, sealed.options())) {
                assertArrayEquals(numbers(), copied.read().ints(), when);
                assertArrayEquals(new long[] {9, 4, 4}, copied.storedChunkShape(), when);
                assertArrayEquals(new long[] {9, 2, 2}, copied.chunkShape(), when);
                assertEquals(from.attributes(), copied.attributes(), when);
                assertEquals(from.dimensionNames(), copied.dimensionNames(), when);
            }
            assertFalse(Files.exists(Path.of(target, PartedRechunk.FOLDER)), when);
            assertFalse(Files.exists(Path.of(target, "__unfinished_copy")), when);
        }

        @Override
        public void close() {
            from.close();
            to.close();
            between.close();
        }
    }

    private static int[] numbers() {
        return IntStream.rangeClosed(1, 9 * 10 * 14).toArray();
    }

    @Test
    void passesDecodeEachChunkOfTheSourceOnce() {
        try (Scene scene = new Scene("a", Long.MAX_VALUE, Long.MAX_VALUE)) {
            long before = sealed.used();
            scene.run(scene.copy(), true);
            assertEquals(9 + 5 * 7, sealed.used() - before, "planes that are decoded, inner chunks that are encoded");
            scene.assertCopied("once");
            assertThrows(StoreException.class, () -> scene.run(scene.copy(), true));
            scene.run(scene.copy().overwriting(), true);
            scene.assertCopied("again");
        }
    }

    @Test
    void foreignFilesInTheTarget_areFoundBeforeTheFirstPass() throws IOException {
        try (Scene scene = new Scene("a", Long.MAX_VALUE, Long.MAX_VALUE)) {
            Files.createDirectories(dir.resolve("a"));
            Files.writeString(dir.resolve("a/notes.txt"), "theirs");
            for (Copy copy : new Copy[] {scene.copy(), scene.copy().overwriting()}) {
                StoreException e = assertThrows(StoreException.class, () -> scene.run(copy, true));
                assertTrue(e.getMessage().contains("notes.txt"), e.getMessage());
                assertFalse(Files.exists(Path.of(scene.target, PartedRechunk.FOLDER)));
            }
        }
    }

    @Test
    void stoppedAtAnyMoment_theSameCallsResumeIt() {
        for (boolean inTarget : new boolean[] {true, false}) {
            int changes = 0;
            for (boolean done = false; !done; changes++) {
                String name = inTarget + "-" + changes;
                try (Scene stopped =
                        new Scene(name, inTarget ? changes : Long.MAX_VALUE, inTarget ? Long.MAX_VALUE : changes)) {
                    stopped.run(stopped.copy(), true);
                    done = true;
                } catch (StoreException e) {
                    assertFalse(
                            Files.exists(dir.resolve(name).resolve("zarr.json"))
                                    && Files.exists(dir.resolve(name).resolve("__unfinished_copy"))
                                    && !Files.exists(dir.resolve(name).resolve(PartedRechunk.FOLDER)),
                            "the second pass has its source");
                }
                try (Scene scene = new Scene(name, Long.MAX_VALUE, Long.MAX_VALUE)) {
                    if (!done) {
                        scene.run(scene.copy(), true);
                    }
                    scene.assertCopied(name);
                }
            }
            assertTrue(changes > 5, changes + " changes");
        }
    }

    @Test
    void changedSource_isNotMixedWithAnEarlierRun() {
        int stopped = 0;
        for (int change = 0; change < 60; change++) {
            String name = "changed-" + change;
            try (Scene scene = new Scene(name, change, Long.MAX_VALUE)) {
                scene.passes(scene.copy()).run();
            } catch (StoreException e) {
                stopped++;
            }
            try (Scene scene = new Scene(name, Long.MAX_VALUE, change)) {
                scene.passes(scene.copy().overwriting()).run();
            } catch (StoreException e) {
                stopped++;
            }
            int[] changed = numbers();
            int more = change + 1;
            Arrays.setAll(changed, i -> changed[i] + more);
            try (ZarrArray source = Zarr.openArray(dir.resolve("source").toString(), sealed.options())) {
                source.write(source.domain(), changed, 0);
            }
            try (Scene scene = new Scene(name, Long.MAX_VALUE, Long.MAX_VALUE)) {
                scene.passes(scene.copy().overwriting()).run();
            }
            try (ZarrArray copied = Zarr.openArray(dir.resolve(name).toString(), sealed.options())) {
                assertArrayEquals(changed, copied.read().ints(), name);
            }
        }
        assertTrue(stopped > 20, stopped + " stopped");
    }

    @Test
    void foreignArray_atThePlaceOfTheIntermediateOne_isKept() throws IOException {
        Path theirs = dir.resolve("theirs");
        Path place = dir.resolve("a").resolve(PartedRechunk.FOLDER);
        for (Path folder : new Path[] {theirs, place}) {
            try (ZarrArray array = Zarr.createArray(folder.toString(), ArraySpec.of("uint8", 4))) {
                array.write(array.domain(), new byte[] {1, 2, 3, 4}, 0);
            }
        }
        try (Scene scene = new Scene("a", Long.MAX_VALUE, Long.MAX_VALUE)) {
            Copy copy = scene.copy().overwriting();
            assertThrows(StoreException.class, () -> scene.passes(copy).run());
        }
        Files.createDirectories(dir.resolve("b"));
        Files.createSymbolicLink(dir.resolve("b").resolve(PartedRechunk.FOLDER), theirs);
        try (Scene scene = new Scene("b", Long.MAX_VALUE, Long.MAX_VALUE)) {
            Copy copy = scene.copy().overwriting();
            String refused =
                    assertThrows(StoreException.class, () -> scene.passes(copy)).getMessage();
            assertTrue(refused.contains("is a symbolic link"), refused);
        }
        for (Path folder : new Path[] {theirs, place}) {
            try (ZarrArray array = Zarr.openArray(folder.toString())) {
                assertArrayEquals(new byte[] {1, 2, 3, 4}, array.read().bytes());
            }
        }
    }

    @Test
    void intermediateArrayOfAnotherCopy_isNotUsed() {
        try (Scene scene = new Scene("a", Long.MAX_VALUE, Long.MAX_VALUE)) {
            scene.run(scene.copy(), false);
            int[] changed = numbers();
            Arrays.setAll(changed, i -> -i);
            String other = dir.resolve("other").toString();
            try (ZarrArray array = Zarr.createArray(
                    other,
                    ArraySpec.of("int32", 9, 10, 14).withChunkShape(1, 10, 14).withCodecs(Codecs.zstd(1)))) {
                array.write(array.domain(), changed, 0);
                Copy copy = Copy.of(array).withShardShape(9, 4, 4).withChunkShape(9, 2, 2);
                String refused = assertThrows(StoreException.class, () -> scene.run(copy, true))
                        .getMessage();
                assertTrue(refused.contains("unfinished copy"), refused);
                scene.run(copy.overwriting(), true);
            }
            try (ZarrArray copied = Zarr.openArray(scene.target)) {
                assertArrayEquals(changed, copied.read().ints());
            }
        }
    }
}
