package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.EncodedChunks;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.staging.UnfinishedLayout;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of layout that are stopped, or that collide with a writer: their leftovers, and how these are cleaned up. */
@Timeout(120)
class RelayoutStopTest extends RelayoutTestBase {
    @Test
    void stoppedAtAnyMoment_theArrayIsWhole_andTheSameCallEndsIt() throws IOException {
        stoppedAtAnyMoment("default", ShardLayout.chunksPerShard(2), unshardedSpec());
        stoppedAtAnyMoment("v2", ShardLayout.unsharded(), unshardedSpec().withShardShape(6, 8));
    }

    private void stoppedAtAnyMoment(String keys, ShardLayout layout, ArraySpec spec) throws IOException {
        Json encoding = Codecs.named(keys, Json.object().with("separator", Json.of("/")));
        int stops = 0;
        int cutShortSeen = 0;
        for (long changes = 0; ; changes++) {
            MemoryStore store = MemoryStore.create();
            ZarrArray array = createWritten(store, "a", spec.withChunkKeyEncoding(encoding));
            TreeMap<String, Integer> encoded = EncodedChunks.of(array);
            ZarrArray stopping = Zarr.openArray(new StoppingStore(store, changes), "a", options);
            boolean done = true;
            try {
                Relayout.of(stopping, layout).run(Mode.APPLY, reported::add);
            } catch (StoreException e) {
                done = false;
                stops++;
            }
            String when = layout + " stopped before change " + changes;
            // a reader that knows nothing of the change
            assertArrayEquals(numbers(array), open(store).read().ints(), when);
            boolean cutShort = verified(open(store)).stream().anyMatch(f -> f.kind() == Finding.Kind.CUT_SHORT);
            assertEquals(cutShort, Repair.unfinished(open(store)).isPresent(), when);
            if (changes % 2 == 0 && cutShort) {
                assertEquals(
                        1, Repair.of(open(store)).run(Mode.APPLY, step -> {}).done(), when);
                assertTrue(store.open("a/__unfinished").isEmpty(), when);
                cutShortSeen++;
            }
            long used = codec.used();
            Relayout.of(open(store), layout).run(Mode.APPLY, reported::add);
            assertEquals(used, codec.used(), when);
            assertArrayEquals(numbers(array), open(store).read().ints(), when);
            assertEquals(encoded, EncodedChunks.of(open(store)), when);
            assertEquals(
                    layout instanceof ShardLayout.ChunksPerShard, open(store).isSharded(), when);
            assertEquals(List.of(), verified(open(store)), when);
            List<String> left = new ArrayList<>();
            store.list("a", e -> left.add(e.name()));
            assertEquals(
                    keys.equals("default") ? 2 : 1 + (int) open(store).storage().gridShape()[0], left.size(), when);
            assertTrue(store.open("a/__unfinished").isEmpty(), when);
            if (done) {
                assertTrue(stops > 20, when);
                assertTrue(cutShortSeen > 5, when);
                return;
            }
        }
    }

    private enum Call {
        WRITE,
        SHRINK
    }

    /**
     * After the last change of the document, normal calls replace and delete objects under the array's own keys. On a
     * disk, this also changes the files' other links, which a resumed run examines for lost writes.
     */
    @ParameterizedTest
    @EnumSource(Call.class)
    void changeAfterTheLastDocument_isNotReportedAsALostWrite(Call call, @TempDir Path dir) {
        int found = 0;
        boolean isDone = false;
        for (long changes = 0; !isDone; changes++) {
            FileStore store = FileStore.at(dir.resolve(String.valueOf(changes)));
            ZarrArray array = createWritten(store, "a", unshardedSpec());
            ZarrArray stopping = Zarr.openArray(new StoppingStore(store, changes), "a", options);
            try {
                Relayout.of(stopping, ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
                isDone = true;
            } catch (StoreException e) {
                ZarrArray now = open(store);
                boolean hasLastDocument = now.isSharded()
                        && chunkKeys(now).equals(chunkKeys(array))
                        && UnfinishedLayout.record(now)
                                .filter(record -> record.step() == Step.LINKED)
                                .isPresent();
                if (hasLastDocument) {
                    run(now, call);
                    int[] expected = open(store).read().ints();
                    Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
                    assertArrayEquals(expected, open(store).read().ints());
                    assertEquals(List.of(), verified(open(store)));
                    found++;
                }
            }
        }
        assertTrue(found > 0);
    }

    private static Optional<Json> chunkKeys(ZarrArray array) {
        return MetadataWriter.document(array.metadata()).get("chunk_key_encoding");
    }

    private static void run(ZarrArray array, Call call) {
        switch (call) {
            case WRITE -> array.write(Box.of(new long[] {1, 1}), new int[] {-9}, 0);
            case SHRINK -> array.resize(new long[] {4, 12}, ResizePolicy.REMOVE);
        }
    }

    private static List<Finding> verified(ZarrArray array) {
        List<Finding> findings = new ArrayList<>();
        Verification.of(array).run(findings::add);
        return findings;
    }

    @Test
    void stoppedWhileStaging_goesOnWhereItWas_unlessItIsAnotherChange() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = createWritten(store, "a", unshardedSpec());
        ZarrArray stopping = Zarr.openArray(new StoppingStore(store, 3), "a", options); // the record, two shards
        assertThrows(StoreException.class, () -> Relayout.of(stopping, ShardLayout.chunksPerShard(2))
                .run(Mode.APPLY, reported::add));
        Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        assertEquals(4, reported.get(0).objects());
        assertTrue(
                reported.get(0).bytes()
                        < EncodedChunks.of(open(store)).keySet().stream()
                                .mapToLong(h -> h.length() / 2)
                                .sum(),
                "two shards were there");

        ZarrArray again = Zarr.openArray(new StoppingStore(store, 2), "a", options);
        assertThrows(StoreException.class, () -> Relayout.of(again, ShardLayout.chunksPerShard(3))
                .run(Mode.APPLY, reported::add));
        open(store).write(Box.of(new long[] {1, 1}), new int[] {-5}, 0); // the staged objects are stale now
        Relayout.of(open(store), ShardLayout.chunksPerShard(3)).run(Mode.APPLY, reported::add);
        int[] expected = numbers(array);
        expected[0] = -5;
        assertArrayEquals(expected, open(store).read().ints());
    }

    @Test
    void writerMeanwhile_isNoticed_andLosesNothing() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = createWritten(store, "a", unshardedSpec());
        Relayout racing = Relayout.of(array, ShardLayout.chunksPerShard(2)).withProgress((path, done, total) -> {
            if (done == total) {
                open(store).write(Box.of(new long[] {1, 1}), new int[] {-9}, 0);
            }
        });
        StoreException e = assertThrows(StoreException.class, () -> racing.run(Mode.APPLY, reported::add));
        assertTrue(e.getMessage().contains("another program wrote"), e.getMessage());
        int[] expected = numbers(array);
        expected[0] = -9;
        assertArrayEquals(expected, open(store).read().ints());
        assertFalse(open(store).isSharded());
        Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        assertArrayEquals(expected, open(store).read().ints());
    }
}
