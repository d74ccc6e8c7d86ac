package dev.shardkit.store.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a cache: damage, other programs' files, links, limits, and folders that cannot be written. */
@Timeout(120)
class CacheFilesTest {
    private static final byte[] VALUE = Reading.bytes(1, 150_000);
    private static final long ROOMY = 1 << 30;

    @TempDir
    private Path folder;

    private final MemoryStore behind = MemoryStore.conditional("remote");

    private Path cache() {
        return folder.resolve("cache");
    }

    private CachedStore open(long limit) throws IOException {
        return CachedStore.of(RemoteAdapter.of(behind), cache(), limit);
    }

    private void serve(String key, byte[] value) throws IOException {
        behind.put(key, Content.of(Bytes.of(value)), Durability.ATOMIC);
    }

    private static List<Path> files(Path folder, Predicate<Path> which) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).filter(which).sorted().toList();
        }
    }

    private List<Path> ranges() throws IOException {
        return files(cache().resolve("objects"), f -> f.getFileName().toString().matches("[0-9a-f]{16}-.*"));
    }

    private void fill() throws IOException {
        serve("k", VALUE);
        try (CachedStore store = open(ROOMY)) {
            Reading.whole(store, "k");
        }
    }

    private static byte[] damaged(byte[] file, Random random) {
        byte[] other = file.clone();
        switch (random.nextInt(4)) {
            case 0 -> other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> other = Arrays.copyOf(other, random.nextInt(other.length));
            case 2 -> other = Arrays.copyOf(other, other.length + 1 + random.nextInt(100));
            default -> random.nextBytes(other);
        }
        return other;
    }

    @Test
    void files_damaged_areDroppedAndReadAgain() throws IOException {
        fill();
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            for (Path file : files(cache().resolve("objects"), f -> true)) {
                Files.write(file, damaged(Files.readAllBytes(file), random));
            }
            try (CachedStore store = open(ROOMY)) {
                assertArrayEquals(VALUE, Reading.whole(store, "k"));
                assertTrue(store.metrics().damaged() > 0, "round " + i);
                Reading.whole(store, "k");
                assertEquals(1, store.metrics().hits(), "kept again, round " + i);
            }
        }
    }

    /** Only the blocks of a read are compared with their checksums. */
    @Test
    void range_damagedElsewhere_isStillRead() throws IOException {
        fill();
        Path file = ranges().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        try (CachedStore store = open(ROOMY)) {
            assertArrayEquals(Arrays.copyOf(VALUE, 1000), Reading.slice(store, "k", 0, 1000));
            assertEquals(1, store.metrics().hits());
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
            assertEquals(1, store.metrics().damaged());
        }
    }

    /** A whole and valid file under a name that is not its own, as if two hashes were the same. */
    @Test
    void range_ofAnotherObjectOrVersion_isDropped() throws IOException {
        fill();
        byte[] other = Reading.bytes(2, VALUE.length);
        serve("other", other);
        Path mine = ranges().get(0);
        try (CachedStore store = open(ROOMY)) {
            Reading.whole(store, "other");
            Path others =
                    ranges().stream().filter(f -> !f.equals(mine)).findFirst().orElseThrow();
            Files.copy(mine, others, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertArrayEquals(other, Reading.whole(store, "other"));
            assertEquals(1, store.metrics().damaged());
        }
    }

    @Test
    void links_areNotFollowed() throws IOException {
        fill();
        Path file = ranges().get(0);
        Path elsewhere = folder.resolve("elsewhere");
        Files.move(file, elsewhere);
        LinksAndPipes.link(file, elsewhere);
        try (CachedStore store = open(ROOMY)) {
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
            assertEquals(0, store.metrics().hits());
        }
        assertFalse(Files.isSymbolicLink(file), "replaced by a file");
        assertTrue(Files.exists(elsewhere));

        Path group = file.getParent().getParent();
        Path moved = folder.resolve("moved");
        Files.move(group, moved);
        LinksAndPipes.link(group, moved);
        List<Path> before = files(moved, f -> true);
        try (CachedStore store = open(ROOMY)) {
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
            assertEquals(0, store.metrics().hits());
            assertTrue(store.metrics().notCached() > 0);
            store.clear();
        }
        assertEquals(before, files(moved, f -> true), "nothing was removed through the link");
    }

    @Test
    void open_ofAFolderWithOtherFiles_isRefused() throws IOException {
        Files.createDirectories(cache());
        Files.writeString(cache().resolve("thesis.txt"), "mine");
        StoreException e = assertThrows(StoreException.class, () -> open(ROOMY));
        assertTrue(e.getMessage().contains("not a cache"), e.getMessage());
        Files.writeString(cache().resolve("shardkit-cache"), "This folder is of version 2");
        assertThrows(StoreException.class, () -> open(ROOMY));
        assertThrows(
                StoreException.class,
                () -> CachedStore.of(RemoteAdapter.of(behind), cache().resolve("thesis.txt"), ROOMY),
                "a file");
        assertEquals(2, files(cache(), f -> true).size());
    }

    @Test
    void open_afterAKilledFirstWriter_isTheCache() throws IOException {
        Files.createDirectories(cache());
        Files.writeString(cache().resolve("shardkit-cache"), "This folder is");
        fill();
        try (CachedStore store = open(ROOMY)) {
            Reading.whole(store, "k");
            assertEquals(1, store.metrics().hits());
        }
    }

    @Test
    void open_always_createsNothing() throws IOException {
        open(ROOMY).close();
        assertFalse(Files.exists(cache()));
    }

    @Test
    void limit_isKeptAndTheLeastRecentlyUsedGoes() throws IOException {
        long limit = 1 << 20;
        for (int i = 0; i < 10; i++) {
            serve("k" + i, Reading.bytes(i, 150_000));
        }
        try (CachedStore store = open(limit)) {
            Reading.whole(store, "k0");
            Reading.whole(store, "k1");
            Instant old = Instant.now().minus(Duration.ofDays(1));
            for (Path file : files(cache().resolve("objects"), f -> true)) {
                Files.setLastModifiedTime(file, FileTime.from(old));
            }
            Reading.whole(store, "k0"); // used now
            for (int i = 2; i < 7; i++) {
                Reading.whole(store, "k" + i);
                assertTrue(store.bytesOnDisk() <= limit);
            }
            long hits = store.metrics().hits();
            Reading.whole(store, "k0");
            assertEquals(hits + 1, store.metrics().hits(), "k0 is still kept");
            Reading.whole(store, "k1");
            assertEquals(hits + 1, store.metrics().hits(), "k1 went");
            assertEquals(0, store.metrics().notCached());
        }
    }

    @Test
    void limit_smallerThanARange_keepsOthers() throws IOException {
        serve("large", Reading.bytes(1, 150_000));
        serve("small", Reading.bytes(2, 1000));
        try (CachedStore store = open(40_000)) {
            for (int i = 0; i < 3; i++) {
                Reading.whole(store, "large");
                Reading.whole(store, "small");
            }
            assertEquals(2, store.metrics().hits());
            assertEquals(3, store.metrics().notCached());
            assertTrue(store.bytesOnDisk() <= 40_000);
        }
    }

    @Test
    void temporaryFiles_ofKilledProcesses_goAfterAnHour() throws IOException {
        fill();
        Path killed = Files.write(cache().resolve("tmp").resolve("killed"), new byte[10_000]);
        Path running = Files.write(cache().resolve("tmp").resolve("running"), new byte[10_000]);
        Files.setLastModifiedTime(killed, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        try (CachedStore store = open(ROOMY)) {
            store.bytesOnDisk();
        }
        assertEquals(List.of(running), files(cache().resolve("tmp"), f -> true));
    }

    @Test
    void folder_thatCannotBeMade_breaksNoRead() throws IOException {
        serve("k", VALUE);
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        try (CachedStore store = CachedStore.of(RemoteAdapter.of(behind), file.resolve("cache"), ROOMY)) {
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(VALUE, Reading.whole(store, "k"));
            }
            assertTrue(store.metrics().notCached() >= 3);
            assertEquals(0, store.metrics().hits());
        }
    }

    @Test
    void folder_thatIsRemovedOrSpoiledMeanwhile_breaksNoRead() throws IOException {
        fill();
        try (CachedStore store = open(ROOMY)) {
            Path objects = cache().resolve("objects");
            removeAll(objects);
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
            removeAll(objects);
            Files.writeString(objects, "a file now");
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
            removeAll(cache());
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
            Reading.whole(store, "k");
            assertEquals(1, store.metrics().hits(), "made anew");
        }
    }

    private static void removeAll(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(java.util.Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Test
    void read_onAnInterruptedThread_keepsTheFiles() throws Exception {
        fill();
        try (CachedStore store = open(ROOMY)) {
            var reads = (dev.shardkit.store.RemoteReads) store.reads();
            Thread.currentThread().interrupt();
            var answer = reads.fetch(
                    "k",
                    dev.shardkit.spi.plan.ByteRange.whole(),
                    java.util.Optional.empty(),
                    dev.shardkit.store.StoreListener.NONE);
            assertTrue(Thread.interrupted(), "still interrupted");
            assertArrayEquals(
                    VALUE,
                    ((dev.shardkit.store.FetchResult.Found) answer.get())
                            .bytes()
                            .toArray());
            assertEquals(0, store.metrics().damaged());
            Reading.whole(store, "k");
            assertEquals(1, store.metrics().hits());
        }
    }
}
