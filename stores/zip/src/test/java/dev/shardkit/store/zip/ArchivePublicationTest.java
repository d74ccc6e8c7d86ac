package dev.shardkit.store.zip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written becomes the archive in one step, in the right order, and other programs read it. */
class ArchivePublicationTest {
    private static final String OME =
            "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\"}}}";
    private static final String COMMENT =
            "{\"ome\":{\"version\":\"0.5\",\"zipFile\":{\"centralDirectory\":{\"jsonFirst\":true}}}}";

    @TempDir
    private Path folder;

    private Path archive;

    @BeforeEach
    void name() {
        archive = folder.resolve("image.ozx");
    }

    private static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void put(ZipStore store, String key, byte[] value) throws IOException {
        BlockingStore.to(store).put(key, Content.of(Bytes.of(value)), Durability.ATOMIC);
    }

    private static Optional<byte[]> get(ZipStore store, String key) throws IOException {
        Optional<ObjectSnapshot> found = BlockingStore.to(store).open(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = found.get()) {
            ByteBuffer into = ByteBuffer.allocate((int) object.size());
            object.read(0, into);
            return Optional.of(into.array());
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    /** By the JDK: the directory, and the entries one after the other as they lie in the file. */
    private Map<String, byte[]> readByOthers() throws IOException {
        Map<String, byte[]> found = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                found.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        }
        return found;
    }

    private List<String> streamed() throws IOException {
        List<String> names = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (Optional<ZipEntry> next = Optional.ofNullable(zip.getNextEntry());
                    next.isPresent();
                    next = Optional.ofNullable(zip.getNextEntry())) {
                names.add(next.get().getName());
                zip.readAllBytes();
            }
        }
        return names;
    }

    /** Small archives are copied into order; in large ones documents lie in the space that was left for them. */
    @ParameterizedTest
    @ValueSource(ints = {100, 3 << 20})
    void documents_comeFirst_breadthFirst(int chunk) throws IOException {
        try (ZipStore store = ZipStore.at(archive)) {
            put(store, "b/c/0", bytes(1, chunk));
            put(store, "b/zarr.json", bytes(2, 50));
            put(store, "a/x/zarr.json", bytes(3, 60));
            put(store, "a/zarr.json", bytes(4, 70));
            put(store, "a/x/c/0", bytes(5, chunk));
            put(store, "zarr.json", OME.getBytes(StandardCharsets.UTF_8));
        }
        List<String> expected = List.of("zarr.json", "a/zarr.json", "b/zarr.json", "a/x/zarr.json", "b/c/0", "a/x/c/0");
        Map<String, byte[]> found = readByOthers();
        assertEquals(expected, List.copyOf(found.keySet()), "in the directory");
        assertEquals(expected, streamed(), "in the file");
        assertArrayEquals(bytes(5, chunk), found.get("a/x/c/0"));
        assertArrayEquals(bytes(3, 60), found.get("a/x/zarr.json"));
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            assertEquals(COMMENT, zip.getComment());
        }
        long overhead = Files.size(archive) - 2L * chunk;
        assertTrue(overhead < (chunk == 100 ? 2_000 : 70_000), overhead + " bytes beside the chunks");
        assertEquals(List.of(archive), files(), "nothing else is left");
    }

    @Test
    void comment_isLeftOut_ifTheRootIsNotOfOme_orAnEntryIsDeflated() throws IOException {
        Files.write(archive, Archives.deflated(Map.of("c/0", bytes(1, 100))));
        try (ZipStore store = ZipStore.at(archive)) {
            put(store, "zarr.json", OME.getBytes(StandardCharsets.UTF_8));
        }
        assertArrayEquals(bytes(1, 100), readByOthers().get("c/0"));
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            assertFalse(Optional.ofNullable(zip.getComment()).isPresent());
        }
        try (ZipStore store = ZipStore.at(archive)) {
            BlockingStore.to(store).delete("c/0");
            put(store, "zarr.json", "{}".getBytes(StandardCharsets.UTF_8));
        }
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            assertFalse(Optional.ofNullable(zip.getComment()).isPresent());
        }
    }

    @Test
    void changes_showBeforeTheyArePublished_onlyHere() throws IOException {
        try (ZipStore store = ZipStore.at(archive)) {
            put(store, "k", bytes(1, 10));
            assertFalse(Files.exists(archive));
            store.commit();
            try (ZipStore other = ZipStore.at(archive)) {
                put(store, "k", bytes(2, 20));
                put(store, "zarr.json", bytes(3, 30));
                assertArrayEquals(bytes(2, 20), get(store, "k").orElseThrow());
                assertArrayEquals(bytes(1, 10), get(other, "k").orElseThrow());
                store.commit();
                assertArrayEquals(bytes(2, 20), get(other, "k").orElseThrow());
                assertArrayEquals(bytes(3, 30), get(other, "zarr.json").orElseThrow());
            }
        }
    }

    @Test
    void archiveOfAKilledWriter_isWhole() throws IOException {
        try (ZipStore store = ZipStore.at(archive)) {
            put(store, "k", bytes(1, 10));
        }
        byte[] before = Files.readAllBytes(archive);
        ZipStore killed = ZipStore.at(archive);
        put(killed, "k", bytes(2, 5_000_000));
        put(killed, "zarr.json", bytes(2, 50));
        BlockingStore.to(killed).delete("k");
        assertArrayEquals(before, Files.readAllBytes(archive));
        assertEquals(2, files().size(), "the archive, and the file of the writer");
        killed.discard();
        assertEquals(List.of(archive), files());
        killed.close();
        assertArrayEquals(before, Files.readAllBytes(archive));
    }

    @Test
    void unfinishedFileOfLongAgo_isRemovedByTheNextWriter() throws IOException {
        Path old = folder.resolve(DraftPaths.prefix(archive) + "abc");
        Path recent = folder.resolve(DraftPaths.prefix(archive) + "def");
        Files.write(old, new byte[9]);
        Files.write(recent, new byte[9]);
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        try (ZipStore store = ZipStore.at(archive)) {
            put(store, "k", bytes(1, 10));
        }
        assertFalse(Files.exists(old));
        assertTrue(Files.exists(recent));
    }

    @Test
    void archiveThatAnotherHasChanged_isNotOverwritten() throws IOException {
        for (boolean existed : new boolean[] {false, true}) {
            ZipStore store = ZipStore.at(archive);
            put(store, "a", bytes(1, 10));
            try (ZipStore other = ZipStore.at(archive)) {
                put(other, "b", bytes(2, 10 + (existed ? 1 : 0)));
            }
            StoreException e = assertThrows(StoreException.class, store::close);
            assertTrue(e.getMessage().contains("another program has changed"), e.getMessage());
            assertEquals(List.of("b"), List.copyOf(readByOthers().keySet()));
            assertEquals(List.of(archive), files());
        }
    }

    /** Stores that all began with the same archive: one of them publishes its change, the others fail. */
    @Test
    void commitsAtOnce_loseNoChange() throws Exception {
        int writers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            for (int round = 0; round < Rounds.of(5); round++) {
                int before = Files.exists(archive) ? readByOthers().size() : 0;
                CyclicBarrier start = new CyclicBarrier(writers);
                List<Future<Boolean>> commits = new ArrayList<>();
                for (int i = 0; i < writers; i++) {
                    String key = "c/" + round + "/" + i;
                    commits.add(threads.submit(() -> publishes(key, start)));
                }
                int published = 0;
                for (Future<Boolean> commit : commits) {
                    published += commit.get(2, TimeUnit.MINUTES) ? 1 : 0;
                }
                assertEquals(1, published, "round " + round);
                assertEquals(before + 1, readByOthers().size(), "round " + round);
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(List.of(archive), files());
    }

    private boolean publishes(String key, CyclicBarrier start) throws Exception {
        ZipStore store = ZipStore.at(archive);
        put(store, key, bytes(1, 1000));
        start.await(2, TimeUnit.MINUTES);
        try {
            store.close();
            return true;
        } catch (StoreException e) {
            assertTrue(e.getMessage().contains("another program has changed"), e.getMessage());
            return false;
        }
    }

    @Test
    void replacedEntries_takeNoSpace_inTheEnd() throws IOException {
        try (ZipStore store = ZipStore.at(archive)) {
            put(store, "zarr.json", bytes(1, 30));
            for (int i = 0; i < 8; i++) {
                put(store, "c/0", bytes(i, 1 << 20));
            }
        }
        assertTrue(Files.size(archive) < (1 << 20) + 2_000, Files.size(archive) + " bytes");
        assertArrayEquals(bytes(7, 1 << 20), readByOthers().get("c/0"));
    }

    /** A model of plain maps, with commits, reopenings and other programs' archives between the steps. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void randomSteps_areAsInAModel(long seed) throws IOException {
        Random random = new Random(seed);
        Map<String, byte[]> model = new TreeMap<>();
        if (seed % 2 == 0) {
            model.put("c/1", bytes(seed, 3000));
            model.put("zarr.json", bytes(seed, 300));
            Files.write(
                    archive,
                    seed % 4 == 0 ? Archives.deflated(model) : Archives.stored(model, new byte[] {9, 9, 0, 0}));
        }
        ZipStore store = ZipStore.at(archive);
        for (int step = 0; step < Rounds.of(60); step++) {
            String key = List.of("zarr.json", "a/zarr.json", "c/0", "c/1", "a/c/0", "ä")
                    .get(random.nextInt(6));
            switch (random.nextInt(9)) {
                case 0 -> store.commit();
                case 1 -> {
                    store.close();
                    store = ZipStore.at(archive);
                }
                case 2 ->
                    assertEquals(
                            model.remove(key) != null, BlockingStore.to(store).delete(key), "step " + step);
                default -> {
                    byte[] value = bytes(random.nextLong(), random.nextInt(1 << random.nextInt(21)));
                    model.put(key, value);
                    put(store, key, value);
                }
            }
            Optional<byte[]> found = get(store, key);
            assertEquals(model.containsKey(key), found.isPresent(), "seed " + seed + ", step " + step);
            if (found.isPresent()) {
                assertArrayEquals(model.get(key), found.get(), "seed " + seed + ", step " + step);
            }
        }
        store.close();
        Map<String, byte[]> published = new TreeMap<>(readByOthers());
        assertEquals(model.keySet(), published.keySet());
        model.forEach((key, value) -> assertArrayEquals(value, published.get(key), key));
    }

    @Test
    void fileOfAnotherProgram_isNoLockFile() throws IOException {
        Path lock = folder.resolve("__shardkit-archive-lock-image.ozx");
        Path original = Files.write(folder.resolve("original"), new byte[10]);
        if (folder.getFileSystem().supportedFileAttributeViews().contains("unix")) { // which count names
            Files.createLink(lock, original);
            assertRefused(lock, 10);
        }
        Files.writeString(lock, "a note of mine");
        assertRefused(lock, 14);
        Files.write(lock, new byte[5000]);
        assertRefused(lock, 5000);
        Files.write(lock, new byte[100]); // what a killed program leaves
        try (ZipStore store = ZipStore.at(archive)) {
            put(store, "k", bytes(1, 100));
        }
        assertFalse(Files.exists(lock));
        assertTrue(Files.exists(archive));
    }

    private void assertRefused(Path lock, long size) throws IOException {
        ZipStore store = ZipStore.at(archive);
        put(store, "k", bytes(1, 100));
        StoreException e = assertThrows(StoreException.class, store::close);
        assertTrue(e.getMessage().contains("expected a lock file"), e.getMessage());
        assertEquals(size, Files.size(lock));
        assertFalse(Files.exists(archive));
        if (size == 10) {
            Files.delete(lock);
        }
    }
}
