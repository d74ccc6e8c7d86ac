package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.PartedCopy;
import dev.shardkit.maintenance.ShardRange;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies in parts, as several processes make them. */
class PartedCopyTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path dir;

    private ZarrGroup source;

    @BeforeEach
    void makeSource() {
        source = sample(dir.resolve("from"));
    }

    /** Makes a tree of arrays, with shards that are not stored. */
    static ZarrGroup sample(Path folder) {
        ZarrGroup source = Zarr.createGroup(folder.toString(), Json.object(), Zarr.Existing.REFUSE, OPTIONS);
        ArraySpec spec = ArraySpec.of("int32", 20, 30).withChunkShape(5, 5).withFillValue(7);
        ZarrArray array = source.createArray("g/a", spec.withShardShape(10, 10), Zarr.Existing.REFUSE);
        int[] values = new int[600];
        Arrays.setAll(values, i -> i < 300 || i % 30 < 10 ? 7 : i); // shards of fill values are not stored
        array.write(array.domain(), values, 0);
        source.createArray("b", spec, Zarr.Existing.REFUSE).write(array.domain(), values, 0);
        source.createArray(
                "empty", ArraySpec.of("int8", 0, 30).withChunkShape(5, 5).withShardShape(10, 10), Zarr.Existing.REFUSE);
        return source;
    }

    private FileStore to() {
        return FileStore.at(dir.resolve("to"));
    }

    private PartedCopy resharded() {
        return Copy.of(source).withShardShape(20, 10).inParts(to(), OPTIONS);
    }

    private boolean isVisible() {
        return Zarr.find(to(), "", OPTIONS).isPresent();
    }

    private void assertCopied() throws IOException {
        ZarrGroup copy = Zarr.openGroup(to(), "", OPTIONS);
        for (String path : List.of("g/a", "b")) {
            assertArrayEquals(
                    source.array(path).read().ints(), copy.array(path).read().ints(), path);
        }
        assertEquals(List.of("b", "empty", "g"), List.copyOf(copy.childNames()));
        try (var names = Files.list(dir.resolve("to"))) {
            assertEquals(
                    List.of(),
                    names.map(p -> p.getFileName().toString())
                            .filter(n -> n.startsWith("__"))
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void parts_inAnyOrderAndSomeTwice_makeTheCopy_thatNobodySeesBefore(int parts) throws IOException {
        List<Integer> order =
                new ArrayList<>(IntStream.rangeClosed(1, parts).boxed().toList());
        Collections.shuffle(order, new Random(parts));
        order.add(order.get(0));
        for (int part : order) {
            resharded().run(new Part(part, parts));
            assertFalse(isVisible());
        }
        resharded().finish();
        assertCopied();
        assertArrayEquals(
                new long[] {20, 10}, Zarr.openArray(to(), "g/a", OPTIONS).storedChunkShape());
    }

    @Test
    void copyAsStored_hasTheSameBytes() throws IOException {
        for (int part = 1; part <= 3; part++) {
            Copy.of(source).inParts(to(), OPTIONS).run(new Part(part, 3));
        }
        Copy.of(source).inParts(to(), OPTIONS).finish();
        assertCopied();
        assertArrayEquals(
                Files.readAllBytes(dir.resolve("from/g/a/c/1/2")), Files.readAllBytes(dir.resolve("to/g/a/c/1/2")));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 50})
    void runs_leaveOutWhatIsNotStored(int most) throws IOException {
        PartedCopy copy = resharded();
        copy.begin();
        List<ShardRange> runs = copy.split(most);
        assertEquals(4, runs.stream().mapToLong(ShardRange::count).sum(), "of 3 shards of each array, 2 are stored");
        assertEquals(6, copy.shards());
        assertTrue(runs.size() <= 2 * most, runs::toString);
        for (ShardRange run : runs) {
            resharded().write(run);
            resharded().write(run);
        }
        copy.publish();
        assertCopied();
    }

    @Test
    void runs_areScattered() {
        ZarrArray array =
                source.createArray("sparse", ArraySpec.of("int8", 1_000_000).withChunkShape(10), Zarr.Existing.REFUSE);
        long[] places = {0, 7, 500_000, 999_999};
        for (long place : places) {
            array.write(Box.of(new long[] {place}, new long[] {1}), new byte[] {1}, 0);
        }
        PartedCopy copy = Copy.of(array).withShardShape(100).inParts(FileStore.at(dir.resolve("sparse")), OPTIONS);
        List<ShardRange> runs = copy.split(2);
        assertEquals(
                List.of("shards 0 to 5000", "shards 9999 to 9999"),
                runs.stream().map(ShardRange::toString).toList());
        copy.begin();
        runs.forEach(copy::write);
        copy.publish();
        ZarrArray copied = Zarr.openArray(dir.resolve("sparse").toString());
        assertEquals(3, copied.presence().atLevel(0).count());
        for (long place : places) {
            assertEquals(
                    1, copied.read(Box.of(new long[] {place}, new long[] {1})).bytes()[0]);
        }
    }

    /** A store of files that counts the reads of the mark of an unfinished copy. */
    private static final class CountingStore extends ForwardingStore implements NearReads {
        private final NearReads files;
        private final AtomicInteger marks = new AtomicInteger();

        CountingStore(FileStore store) {
            super(store);
            this.files = (NearReads) store.reads();
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<Snapshot> open(String key) throws IOException {
            if (key.equals("__unfinished_copy")) {
                marks.incrementAndGet();
            }
            return files.open(key);
        }
    }

    /** In a remote store, each read of the mark is a request. */
    @Test
    void write_readsTheMarkOnceForEachShardThatMayHoldData() {
        ZarrArray array =
                source.createArray("sparse", ArraySpec.of("int8", 1_000_000).withChunkShape(10), Zarr.Existing.REFUSE);
        for (long place : new long[] {0, 700_000}) {
            array.write(Box.of(new long[] {place}, new long[] {1}), new byte[] {1}, 0);
        }
        CountingStore to = new CountingStore(FileStore.at(dir.resolve("sparse")));
        PartedCopy copy = Copy.of(array).withShardShape(100).inParts(to, OPTIONS);
        copy.begin();
        ShardRange range = copy.split(1).get(0);
        assertEquals(7001, range.end() - range.first());
        to.marks.set(0);
        copy.write(range);
        assertEquals(1 + 2, to.marks.get(), "once before the first shard, and once before each of the two");
    }

    @Test
    void split_ofAnyNumberOfShards_hasAtMostSoManyRanges() {
        ZarrArray array = source.createArray(
                "endless", ArraySpec.of("int8", Long.MAX_VALUE - 1).withChunkShape(1), Zarr.Existing.REFUSE);
        PartedCopy copy = Copy.of(array).inParts(to(), OPTIONS);
        assertEquals(3, copy.split(3).size());
        assertEquals(1, copy.split(1).size());
        assertThrows(IllegalArgumentException.class, () -> copy.split(0));
    }

    @Test
    void missingPart_isNamed_andNothingIsPublished() throws IOException {
        assertTrue(refused(() -> resharded().finish()).contains("no unfinished copy"));
        resharded().run(new Part(1, 3));
        resharded().run(new Part(3, 3));
        String message = refused(() -> resharded().finish());
        assertTrue(message.contains("missing part 2/3"), message);
        assertFalse(isVisible());
        resharded().run(new Part(2, 3));
        resharded().finish();
        assertCopied();
    }

    private static String refused(org.junit.jupiter.api.function.Executable call) {
        return assertThrows(StoreException.class, call).getMessage();
    }

    @Test
    void otherParts_otherLayouts_andOtherContent_areRefused() throws IOException {
        resharded().run(new Part(1, 3));
        assertTrue(refused(() -> resharded().run(new Part(1, 4))).contains("in 3 parts"));
        PartedCopy other = Copy.of(source).withShardShape(10, 30).inParts(to(), OPTIONS);
        assertTrue(refused(() -> other.run(new Part(2, 3))).contains("unfinished copy"));
        assertTrue(refused(() -> other.write(0, 1)).contains("no unfinished copy of this source with this layout"));
        for (int part : new int[] {2, 3}) {
            resharded().run(new Part(part, 3));
        }
        resharded().finish();
        assertTrue(refused(() -> resharded().run(new Part(1, 3))).contains("already holds"), "it is published");
        Copy.of(source)
                .withShardShape(20, 10)
                .overwriting()
                .inParts(to(), OPTIONS)
                .begin();
        assertFalse(isVisible(), "replaced");
    }

    @Test
    void repeatedRun_keepsSoundShards_andWritesTornOnesAgain() throws IOException {
        resharded().run(new Part(1, 1));
        Path sound = dir.resolve("to/g/a/c/0/1");
        Path torn = dir.resolve("to/g/a/c/0/2");
        Object key = Files.readAttributes(sound, java.nio.file.attribute.BasicFileAttributes.class)
                .fileKey();
        byte[] bytes = Files.readAllBytes(torn);
        Files.write(torn, Arrays.copyOf(bytes, bytes.length / 2));
        resharded().run(new Part(1, 1));
        assertEquals(
                key,
                Files.readAttributes(sound, java.nio.file.attribute.BasicFileAttributes.class)
                        .fileKey());
        assertArrayEquals(bytes, Files.readAllBytes(torn));
        resharded().finish();
        assertCopied();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void latePart_writesNothingAfterThePublication(boolean recut) throws IOException {
        Copy fast = recut ? Copy.of(source).withShardShape(10, 10) : Copy.of(source);
        Copy late = fast.withProgress((path, done, total) -> {
            if (done == 1 && !isVisible()) {
                fast.inParts(to(), OPTIONS).run(new Part(1, 1));
                fast.inParts(to(), OPTIONS).finish();
                ZarrArray array = Zarr.openArray(to(), "g/a", OPTIONS);
                array.erase(array.domain());
            }
        });
        PartedCopy part = late.inParts(to(), OPTIONS);
        assertThrows(StoreException.class, () -> part.run(new Part(1, 1)));
        assertEquals(
                0, Zarr.openArray(to(), "g/a", OPTIONS).presence().bitmap().cardinality(), "erased shards stay erased");
        try (var names = Files.list(dir.resolve("to"))) {
            assertTrue(names.noneMatch(p -> p.getFileName().toString().startsWith("__")));
        }
    }

    @Test
    void otherSource_withTheSameMetadata_isRefused() {
        Copy.of(source).inParts(to(), OPTIONS).run(new Part(1, 2));
        Copy.of(source).to(FileStore.at(dir.resolve("other")), OPTIONS);
        ZarrGroup other = Zarr.openGroup(dir.resolve("other").toString());
        PartedCopy part = Copy.of(other).inParts(to(), OPTIONS);
        assertThrows(StoreException.class, () -> part.run(new Part(2, 2)));
    }

    @Test
    void finish_thatWasInterrupted_isRepeated() throws IOException {
        resharded().run(new Part(1, 2));
        resharded().run(new Part(2, 2));
        byte[] state = Files.readAllBytes(dir.resolve("to/__unfinished_copy"));
        resharded().finish();
        Files.write(dir.resolve("to/__unfinished_copy"), state); // all is published, the mark is left
        resharded().finish();
        assertCopied();
    }

    @Test
    void privateSources_haveAPrivateCopy() throws IOException {
        for (String node : List.of("", "/g", "/g/a", "/b", "/empty")) {
            Files.setPosixFilePermissions(
                    dir.resolve("from" + node + "/zarr.json"), PosixFilePermissions.fromString("rw-------"));
        }
        resharded().run(new Part(1, 2));
        resharded().run(new Part(2, 2));
        resharded().finish();
        for (String file : List.of("zarr.json", "g/a/zarr.json", "g/a/c/0/1")) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("to/" + file))),
                    file);
        }
        assertFalse(Files.exists(dir.resolve("to/g/a/__access")));
    }
}
