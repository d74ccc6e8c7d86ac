package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NonemptyChunksAttribute.Difference;
import dev.shardkit.NonemptyChunksAttribute.Finding;
import dev.shardkit.NonemptyChunksAttribute.OnWrite;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of chunks that exist: kept by writes, found out when it is wrong, made anew, never believed by reads. */
class NonemptyChunksAttributeTest {
    private static final ZarrOptions KEEP = ZarrOptions.defaults().withNonemptyChunks(OnWrite.UPDATE);

    private static ArraySpec spec() {
        return ArraySpec.of("int32", 24, 26)
                .withFillValue(-1)
                .withShardShape(8, 8)
                .withChunkShape(2, 2)
                .withCodecs(Codecs.bytesLittleEndian());
    }

    private static ZarrArray create(Store store, ArraySpec spec) {
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, KEEP);
    }

    private static List<String> truth(ZarrArray array) {
        return array.presence().stream()
                .map(c -> Arrays.stream(c.cell()).mapToObj(String::valueOf).collect(Collectors.joining(".")))
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .toList();
    }

    private static List<Finding> differences(ZarrArray array) {
        List<Finding> found = new ArrayList<>();
        assertEquals(array.nonemptyChunks().verify(found::add), found.size());
        return found;
    }

    private static void agrees(Store store) {
        ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults());
        assertEquals(truth(array), array.nonemptyChunks().read().orElseThrow().keys());
        assertEquals(List.of(), differences(array));
    }

    /** Another writer changes the document after the list was made and before it is put. */
    @Test
    void listInARemoteStore_keepsChangesOfOtherWriters() {
        MemoryStore behind = MemoryStore.conditional("manifest");
        create(behind, spec()).close();
        ZarrArray other = Zarr.openArray(behind, "a", ZarrOptions.defaults());
        RemoteAdapter remote = RemoteAdapter.of(behind);
        AtomicInteger puts = new AtomicInteger();
        remote.loseAnswers(key -> {
            if (key.endsWith("zarr.json") && puts.getAndIncrement() == 0) {
                other.changeAttributes(now -> now.with("by", Json.of("another")));
            }
            return RemoteAdapter.Answer.COMES;
        });
        ZarrArray array = Zarr.openArray(remote, "a", KEEP);
        array.write(box(at(0, 0), 1, 1), new int[] {7}, 0);
        assertEquals(
                Json.of("another"),
                Zarr.openArray(behind, "a", KEEP).attributes().get("by").orElseThrow());
        assertEquals(2, puts.get());
        agrees(behind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sharded", "plain", "nested", "files"})
    void writesKeepIt(String kind, @TempDir Path folder) {
        Store store = kind.equals("files") ? FileStore.at(folder) : MemoryStore.create();
        ArraySpec spec =
                switch (kind) {
                    case "plain" ->
                        ArraySpec.of("int32", 24, 26).withFillValue(-1).withChunkShape(2, 2);
                    case "nested" ->
                        spec().withChunkShape(4, 4).withCodecs(Codecs.sharding(at(2, 2), Codecs.bytesLittleEndian()));
                    default -> spec();
                };
        ZarrArray array = create(store, spec);
        Random random = new Random(1);
        for (int i = 0; i < 25; i++) {
            long[] origin = {random.nextInt(24), random.nextInt(26)};
            Box part = box(origin, 1 + random.nextInt(24 - (int) origin[0]), 1 + random.nextInt(26 - (int) origin[1]));
            if (i % 3 == 2) {
                array.erase(part);
            } else {
                array.write(part, new int[(int) part.count()], 0);
            }
            agrees(store);
        }
        try (Transaction transaction = array.transaction(1 << 20)) {
            transaction.write(box(at(0, 0), 1, 1), new int[] {7}, 0);
            transaction.write(box(at(23, 25), 1, 1), new int[] {7}, 0);
            transaction.commit();
        }
        agrees(store);
        array.write(array.domain(), new int[24 * 26], 0);
        array.resize(at(13, 9), ResizePolicy.REMOVE);
        agrees(store);
    }

    @Test
    void slicesKeepIt_inArraysThatGrow() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = create(
                store,
                ArraySpec.of("int32", 0, 4)
                        .withShardShape(4, 4)
                        .withChunkShape(1, 2)
                        .withCodecs(Codecs.bytesLittleEndian()));
        try (SliceWriter slices = array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW))) {
            for (int i = 1; i < 7; i++) {
                slices.write(Values.all(array, box(at(0, 0), 1, 4), i));
            }
        }
        agrees(store);
        assertEquals(
                12,
                Zarr.openArray(store, "a", KEEP)
                        .nonemptyChunks()
                        .read()
                        .orElseThrow()
                        .size());
    }

    @Test
    void onlyWritesThatAsk_keepIt_andReadsDoNotBelieveIt() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = create(store, spec());
        ZarrArray other = Zarr.openArray(store, "a", ZarrOptions.defaults());
        other.write(box(at(0, 0), 1, 1), new int[] {5}, 0);
        assertEquals(
                List.of(Difference.ABSENT),
                differences(other).stream().map(Finding::kind).toList());
        assertTrue(array.nonemptyChunks().read().isEmpty());
        array.write(box(at(2, 2), 1, 1), new int[] {6}, 0);
        assertEquals(
                List.of("0.0", "1.1"),
                array.nonemptyChunks().read().orElseThrow().keys(),
                "made of all there is");
        other.write(box(at(20, 20), 1, 1), new int[] {7}, 0);
        other.erase(box(at(0, 0), 2, 2));
        assertEquals(
                List.of(new Finding(Difference.MISSING, "10.10"), new Finding(Difference.GONE, "0.0")),
                differences(other));
        ZarrArray again = Zarr.openArray(store, "a", KEEP);
        assertEquals(7, again.read(box(at(20, 20), 1, 1)).ints()[0], "a stale list hides nothing");
        assertTrue(again.chunkExists(10, 10));
        assertFalse(again.nonemptyChunks().read().orElseThrow().contains(10, 10));
        array.write(box(at(4, 4), 1, 1), new int[] {6}, 0);
        assertEquals(
                List.of("1.1", "2.2"),
                array.nonemptyChunks().read().orElseThrow().keys(),
                "of a shard that is written, all is put right; of others, nothing");
        assertEquals(
                List.of("1.1", "10.10", "2.2"), array.nonemptyChunks().rebuild().keys(), "sorted as texts");
        agrees(store);
    }

    @Test
    void otherAttributesStay_andKeysCountFromTheOrigin() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = create(
                store,
                spec().withAttributes(Json.object()
                        .with("notes", Json.of("n"))
                        .with("chunk_grid_origin", Json.of(at(-3, 1)))));
        array.write(box(at(2, 2), 1, 1), new int[] {6}, 0);
        ZarrArray now = Zarr.openArray(store, "a", KEEP);
        assertEquals(List.of("-2.2"), now.nonemptyChunks().read().orElseThrow().keys());
        assertTrue(now.nonemptyChunks().read().orElseThrow().contains(1, 1));
        assertEquals(Json.of("n"), now.attributes().get("notes").orElseThrow());
        assertEquals(
                1, now.nonemptyChunks().read().orElseThrow().cells().findFirst().orElseThrow()[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "conditions"})
    void writersSideBySide_loseNothing(String kind) {
        MemoryStore store = kind.equals("locks") ? MemoryStore.create() : MemoryStore.conditional("manifest-writers");
        create(store, spec());
        CompletableFuture<?>[] writers = IntStream.range(0, 6)
                .mapToObj(w -> CompletableFuture.runAsync(
                        () -> {
                            ZarrArray array = Zarr.openArray(store, "a", KEEP);
                            Random random = new Random(w);
                            for (int i = 0; i < 12; i++) {
                                Box part = box(at(2 * random.nextInt(12), 2 * random.nextInt(13)), 2, 2);
                                if (random.nextInt(3) == 0) {
                                    array.erase(part);
                                } else {
                                    array.write(part, new int[4], 0);
                                }
                            }
                            if (w == 3) {
                                array.nonemptyChunks().rebuild();
                            }
                        },
                        task -> new Thread(task, "writer").start()))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(writers).join();
        agrees(store);
    }

    private static ZarrArray with(Json attribute) {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = Zarr.createArray(
                store,
                "a",
                spec().withAttributes(Json.object().with(NonemptyChunksAttribute.ATTRIBUTE, attribute)),
                IfExists.REFUSE,
                KEEP);
        array.with(o -> o.withNonemptyChunks(OnWrite.IGNORE)).write(box(at(4, 4), 1, 1), new int[] {6}, 0);
        return array;
    }

    private static Json list(String... keys) {
        return new Json.Arr(Arrays.stream(keys).map(Json::of).toList());
    }

    @Test
    void hostileLists_areToldOf_andPutRight() {
        List<Json> wrong = List.of(
                Json.of("2.2"),
                Json.of(1),
                new Json.Null(),
                Json.object(),
                list("2"),
                list("2.2.2"),
                list("2/2"),
                list(""),
                list("."),
                list("2.02"),
                list("+2.2"),
                list("2.9223372036854775808"),
                list("2.4611686018427387904"),
                list("x.y"),
                new Json.Arr(List.of(Json.of(2), Json.of(2))),
                new Json.Arr(List.of(list("2.2"))));
        for (Json attribute : wrong) {
            ZarrArray array = with(attribute);
            assertEquals(Difference.MALFORMED, differences(array).get(0).kind(), attribute::toString);
            MetadataException e = assertThrows(
                    MetadataException.class, () -> array.nonemptyChunks().read());
            assertTrue(e.getMessage().contains("/attributes/nonempty_chunks"), e.getMessage());
            assertEquals(6, array.read(box(at(4, 4), 1, 1)).ints()[0]);
            array.write(box(at(6, 6), 1, 1), new int[] {1}, 0);
            assertEquals(List.of(), differences(array), attribute::toString);
        }
        ZarrArray unsorted = with(list("2.2", "1.1", "2.2", "99.99", "-1.0"));
        assertEquals(
                List.of("-1.0", "1.1", "2.2", "99.99"),
                unsorted.nonemptyChunks().read().orElseThrow().keys());
        assertEquals(
                List.of(
                        Difference.OUT_OF_ORDER,
                        Difference.OUT_OF_ORDER,
                        Difference.GONE,
                        Difference.GONE,
                        Difference.GONE),
                differences(unsorted).stream()
                        .map(Finding::kind)
                        .sorted((a, b) -> Boolean.compare(a == Difference.GONE, b == Difference.GONE))
                        .toList());
        ZarrArray origin = with(list("2.2"))
                .replaceAttributes(Json.object()
                        .with("chunk_grid_origin", Json.of("x"))
                        .with(NonemptyChunksAttribute.ATTRIBUTE, list()));
        assertThrows(MetadataException.class, () -> origin.nonemptyChunks().read());
    }

    @Test
    void listThatNoDocumentHolds_isRefused_andWhatWasWrittenStays() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array =
                create(store, spec()).with(o -> o.withLimits(Limits.defaults().withMetadataBytes(1500)));
        array.write(box(at(0, 0), 4, 4), new int[16], 0);
        MetadataException e =
                assertThrows(MetadataException.class, () -> array.write(array.domain(), new int[24 * 26], 0));
        assertTrue(e.getMessage().contains("metadataBytes"), e.getMessage());
        assertEquals(12 * 13, array.presence().count());
        assertEquals(4, array.nonemptyChunks().read().orElseThrow().size());
    }

    @Test
    void stagedArrays_areNotPublishedByIt() {
        MemoryStore store = MemoryStore.create();
        var staged = Zarr.stageArray(store, "a", Zarr.describe(spec(), KEEP), IfExists.REFUSE, KEEP);
        staged.array().write(box(at(0, 0), 1, 1), new int[1], 0);
        assertTrue(Zarr.find(store, "a", KEEP).isEmpty());
        assertThrows(
                MetadataException.class, () -> staged.array().nonemptyChunks().rebuild());
        assertEquals(List.of("0.0"), staged.publish().nonemptyChunks().rebuild().keys());
    }
}
