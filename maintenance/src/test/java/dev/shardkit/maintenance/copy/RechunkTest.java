package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.check.CountingCodec;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.relayout.StoppingStore;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies in two passes. */
@Timeout(300)
@Tag("one-jdk")
class RechunkTest {
    /** The moments of a kill that are tried: all, or a sample. */
    private static final int STRIDE = Rounds.stride(10);

    private final CountingCodec sealed = new CountingCodec();

    @TempDir
    Path dir;

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
                        .withCodecs(CountingCodec.metadata())
                        .withDimensionNames("z", "y", "x")
                        .withAttributes(Json.object().with("unit", Json.of("m")));
                try (ZarrArray array = Zarr.createArray(url, spec, IfExists.REFUSE, options)) {
                    array.write(array.domain(), numbers(), 0);
                }
            }
            from = Zarr.openArray(url, options);
            target = dir.resolve(name).toString();
            to = new StoppingStore(Zarr.openStore(target, options), stopsTarget);
            between = new StoppingStore(Zarr.openStore(target + "/" + Destination.INTERMEDIATE, options), stopsBetween);
        }

        Copy copy() {
            return Copy.of(from).withShardShape(9, 4, 4).withChunkShape(9, 2, 2);
        }

        PartedRechunk passes(Copy copy) {
            return passes(copy, to);
        }

        PartedRechunk passes(Copy copy, Store to) {
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
                    passes.first().publish();
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
            assertFalse(Files.exists(Path.of(target, Destination.INTERMEDIATE)), when);
            assertFalse(Files.exists(Path.of(target, "__unfinished")), when);
        }

        /** A reader never sees a part of the intermediate array, and its record stays until it is deleted. */
        void assertIntermediateGoesFirst() {
            assertFalse(Files.exists(Path.of(target, Destination.INTERMEDIATE, "zarr.json")));
            assertTrue(Files.exists(Path.of(target, Destination.INTERMEDIATE)));
            assertTrue(Files.exists(Path.of(target, "__unfinished")));
        }

        @Override
        public void close() {
            from.close();
            to.close();
            between.close();
        }
    }

    /** A copy in one pass that replaces a copy in two passes may be killed too. */
    @Test
    void intermediateArrayOfAReplacedCopy_isDeletedBeforeItsRecord() {
        try (Scene scene = new Scene("a", Long.MAX_VALUE, Long.MAX_VALUE)) {
            scene.run(scene.copy(), false);
            assertTrue(Files.exists(Path.of(scene.target, Destination.INTERMEDIATE, "zarr.json")));
            Copy direct = scene.copy().overwriting();
            assertThrows(StoreException.class, () -> direct.to(new StoppingStore(scene.to, 1), sealed.options()));
            scene.assertIntermediateGoesFirst();
            scene.run(scene.copy().overwriting(), true);
            scene.assertCopied("after the kill");
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
                assertFalse(Files.exists(Path.of(scene.target, Destination.INTERMEDIATE)));
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
                            isStaging(dir.resolve(name).resolve("__unfinished"))
                                    && Files.exists(dir.resolve(name).resolve("zarr.json"))
                                    && !Files.exists(dir.resolve(name).resolve(Destination.INTERMEDIATE)),
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

    private static boolean isStaging(Path record) {
        try {
            return Files.exists(record) && Files.readString(record).contains("\"staging\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void changedSource_isNotMixedWithAnEarlierRun() {
        int stopped = 0;
        for (int change = 0; change < 60; change += STRIDE) {
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
        assertTrue(stopped > 20 / STRIDE, stopped + " stopped");
    }

    @Test
    void stoppedRun_isResumedByTheSameObject() {
        int resumed = 0;
        for (long stop = 0; stop < 60; stop += STRIDE) {
            long at = stop;
            try (Scene scene = new Scene("same-" + stop, Long.MAX_VALUE, Long.MAX_VALUE)) {
                PartedRechunk passes =
                        scene.passes(scene.copy(), new StoppingStore(scene.to, moment -> moment == at, null));
                try {
                    passes.run();
                } catch (StoreException e) {
                    long before = sealed.used();
                    boolean isFirstDone = passes.isFirstDone();
                    passes.run();
                    long used = sealed.used() - before;
                    assertTrue(!isFirstDone || used < 9 + 5 * 7, "stopped at " + stop + ": used " + used);
                    resumed += isFirstDone ? 1 : 0;
                }
                scene.assertCopied("stopped at " + stop);
            }
        }
        assertTrue(resumed > 5 / STRIDE, resumed + " resumed");
    }

    @Test
    void foreignArray_atThePlaceOfTheIntermediateOne_isKept() throws IOException {
        Path theirs = dir.resolve("theirs");
        Path place = dir.resolve("a").resolve(Destination.INTERMEDIATE);
        for (Path folder : new Path[] {theirs, place}) {
            try (ZarrArray array = Zarr.createArray(folder.toString(), ArraySpec.of("uint8", 4))) {
                array.write(array.domain(), new byte[] {1, 2, 3, 4}, 0);
            }
        }
        try (Scene scene = new Scene("a", Long.MAX_VALUE, Long.MAX_VALUE)) {
            Copy copy = scene.copy().overwriting();
            String refused = assertThrows(
                            StoreException.class, () -> scene.passes(copy).run())
                    .getMessage();
            assertTrue(refused.contains("that no copy has made"), refused);
        }
        Files.createDirectories(dir.resolve("b"));
        LinksAndPipes.link(dir.resolve("b").resolve(Destination.INTERMEDIATE), theirs);
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
                PartedRechunk stopped = scene.passes(copy.overwriting(), new StoppingStore(scene.to, 1));
                assertThrows(StoreException.class, stopped::begin);
                scene.assertIntermediateGoesFirst();
                scene.run(copy.overwriting(), true);
            }
            try (ZarrArray copied = Zarr.openArray(scene.target)) {
                assertArrayEquals(changed, copied.read().ints());
            }
        }
    }
}
