package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An array that is moved or removed has no fill values: calls that miss its chunks say that it is gone. */
@Timeout(120)
class VanishedArrayTest {
    private static final int SIDE = 96;
    private static final int CHUNK = 8;

    @TempDir
    Path dir;

    /** An array of more chunks than are looked up one by one. */
    private static ZarrArray made(Store store, String path, boolean isSharded) {
        ArraySpec spec = ArraySpec.of("int32", SIDE, SIDE).withChunkShape(CHUNK, CHUNK);
        ZarrArray array = Zarr.createArray(
                store,
                path,
                isSharded ? spec.withShardShape(2 * CHUNK, 2 * CHUNK) : spec,
                IfExists.REFUSE,
                ZarrOptions.defaults());
        array.write(array.domain(), values(), 0);
        return array;
    }

    private static int[] values() {
        return IntStream.rangeClosed(1, SIDE * SIDE).toArray();
    }

    private static void assertGone(String place, Executable call) {
        MetadataException e = assertThrows(MetadataException.class, call);
        assertTrue(e.getMessage().contains("moved or removed"), e.getMessage());
        assertTrue(e.getMessage().contains(place), e.getMessage());
    }

    private static void assertGone(String place, ZarrArray array) {
        Box row = Box.of(new long[] {0, 0}, new long[] {1, SIDE});
        assertGone(place, array::read);
        assertGone(place, () -> array.read(row));
        assertGone(place, () -> array.view(row).read());
        assertGone(place, () -> array.innerChunks(array.domain()).count());
        assertGone(place, () -> array.presence().count());
        assertGone(place, () -> array.presence().atLevel(0).count());
        assertGone(place, () -> array.presence().stream().count());
        assertGone(place, () -> array.chunkExists(0, 0));
        assertGone(place, () -> Statistics.of(array).run());
        assertInstanceOf(
                MetadataException.class,
                assertThrows(ExecutionException.class, () -> array.readAsync(row)
                                .get(60, TimeUnit.SECONDS))
                        .getCause());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsOnAMovedArray_sayThatItIsGone(boolean isSharded) throws IOException {
        Path old = dir.resolve("a");
        try (ZarrArray array = made(FileStore.at(dir), "a", isSharded)) {
            Files.move(old, dir.resolve("b"));
            assertGone("a", array);
            Files.move(dir.resolve("b"), old);
            assertArrayEquals(values(), array.read().ints());
        }
    }

    @Test
    void callsOnADeletedArray_sayThatItIsGone() {
        for (Store store : List.of(FileStore.at(dir), MemoryStore.create(), MemoryStore.conditional("m"))) {
            ZarrArray array = made(store, "a", true);
            Zarr.openArray(store, "a", ZarrOptions.defaults()).delete();
            assertGone("a", array);
        }
    }

    @Test
    void readOfAnArrayThatWasReplaced_saysSo_whereItHasNoChunks() {
        MemoryStore store = MemoryStore.create();
        ZarrArray old = made(store, "a", true);
        ArraySpec other = ArraySpec.of("int32", SIDE, SIDE).withChunkShape(3, 3);
        Zarr.createArray(store, "a", other, IfExists.OVERWRITE, ZarrOptions.defaults());
        MetadataException e = assertThrows(MetadataException.class, old::read);
        assertTrue(e.getMessage().contains("the array was replaced"), e.getMessage());
    }

    /** Documents of another format than Zarr v3 are those that were read when the array was opened. */
    @Test
    void readOfAMovedArrayOfZarrV2_saysThatItIsGone() throws IOException {
        Path folder = Files.createDirectory(dir.resolve("v2"));
        Files.writeString(
                folder.resolve(".zarray"),
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], \"dtype\": \"|u1\", \"compressor\": null,"
                        + " \"fill_value\": 0, \"order\": \"C\", \"filters\": null}");
        Files.write(folder.resolve("0"), new byte[] {1, 2});
        try (ZarrArray array = Zarr.openArray(folder.toString())) {
            assertArrayEquals(new byte[] {1, 2, 0, 0}, (byte[]) array.read().array());
            Files.move(folder, dir.resolve("moved"));
            assertGone("v2", array::read);
        }
    }

    @Test
    void verification_ofAMovedArray_isNotClean() throws IOException {
        try (ZarrArray array = made(FileStore.at(dir), "a", true)) {
            Files.move(dir.resolve("a"), dir.resolve("b"));
            assertEquals(1, Verification.of(array).run(finding -> {}).errors());
        }
    }

    /** Counts the calls of a store. */
    private static final class Counted extends ForwardingStore implements LocalReads {
        private final LocalReads reads;
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger versions = new AtomicInteger();

        Counted(MemoryStore store) {
            super(store);
            this.reads = store;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            opened.incrementAndGet();
            return reads.open(key);
        }

        @Override
        public Optional<ObjectSnapshot> openToChange(String key) throws IOException {
            opened.incrementAndGet();
            return reads.openToChange(key);
        }

        @Override
        public Optional<String> version(String key) throws IOException {
            versions.incrementAndGet();
            return reads.version(key);
        }

        void assertCost(int objects, int documents, Runnable call) {
            opened.set(0);
            versions.set(0);
            call.run();
            assertEquals(objects, opened.get());
            assertEquals(documents, versions.get());
        }
    }

    @Test
    void absence_costsOneCheckOfTheDocument_andFullReadsNone() {
        MemoryStore memory = MemoryStore.create();
        made(memory, "a", true);
        Counted store = new Counted(memory);
        Consumer<ZarrArray> row = array -> array.read(Box.of(new long[] {0, 0}, new long[] {1, SIDE}));
        int shards = SIDE / (2 * CHUNK);
        try (ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults())) {
            store.assertCost(shards, 0, () -> row.accept(array));
            array.erase(Box.of(new long[] {0, 0}, new long[] {2 * CHUNK, 4 * CHUNK}));
            store.assertCost(shards, 1, () -> row.accept(array)); // the erase has read the document
        }
    }
}
