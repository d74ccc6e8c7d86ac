package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An array that is deleted and made again with other shards and codecs is no corrupt array for those who read it. */
@Timeout(300)
class ReplacedArrayTest {
    private static final Box ALL = Box.of(new long[] {0, 0}, new long[] {32, 32});

    /** The number of requests before: one for the version of the document, one for its content if it changed. */
    private static final int FIRST_LOOK_AT_THE_SHARD = 4;

    @TempDir
    Path dir;

    private List<Store> stores() {
        return List.of(FileStore.at(dir), MemoryStore.create());
    }

    private static ZarrArray made(Store store, int i) {
        ArraySpec spec = ArraySpec.of("int32", 32, 32)
                .withChunkShape(8, 8)
                .withShardShape(i % 2 == 0 ? 16 : 32, 16)
                .withCodecs(i % 3 == 0 ? Codecs.zstd(1) : Codecs.gzip(1));
        ZarrArray array = Zarr.createArray(store, "x", spec, IfExists.REFUSE, ZarrOptions.defaults());
        int[] values = new int[32 * 32];
        for (int j = 0; j < values.length; j++) {
            values[j] = i + j;
        }
        array.write(ALL, values, 0);
        return array;
    }

    private static void delete(Store store) {
        try (ZarrArray array = Zarr.openArray(store, "x", ZarrOptions.defaults())) {
            array.delete();
        }
    }

    @Test
    void readOfAReplacedArray_saysSo() throws Exception {
        for (Store store : stores()) {
            made(store, 0).close();
            try (ZarrArray old = Zarr.openArray(store, "x", ZarrOptions.defaults())) {
                delete(store);
                made(store, 1).close();
                MetadataException e = assertThrows(MetadataException.class, () -> old.read(ALL));
                assertTrue(e.getMessage().contains("the array was replaced since it was opened"), e.getMessage());
                CompletableFuture<?> read = old.readAsync(ALL);
                assertInstanceOf(
                        MetadataException.class,
                        assertThrows(ExecutionException.class, () -> read.get(60, TimeUnit.SECONDS))
                                .getCause());
            }
            delete(store);
        }
    }

    @Test
    void corruptShard_isCorrupt_thoughTheDocumentIsTheSame() throws Exception {
        for (Store store : stores()) {
            try (ZarrArray array = made(store, 0)) {
                BlockingStore.to(store).put("x/c/0/0", Content.of(Bytes.of(new byte[300])), Durability.NONE);
                assertThrows(CorruptDataException.class, () -> array.read(ALL));
                CompletableFuture<?> read = array.readAsync(ALL);
                assertInstanceOf(
                        CorruptDataException.class,
                        assertThrows(ExecutionException.class, () -> read.get(60, TimeUnit.SECONDS))
                                .getCause());
            }
        }
    }

    /**
     * The array is replaced at each request of a write. The new one has the same shards with bytes in another order, so
     * that the old one's writer could change them without noticing. A store without locks has no condition on two
     * objects: if the array is replaced after the writer has looked at the document and before it sees the shard's
     * first version, the write changes the new array, and fails afterwards.
     */
    @Test
    void writeDuringTheReplacement_doesNotChangeTheNewArray() {
        boolean reached = true;
        for (int request = 1; reached; request++) {
            MemoryStore behind = MemoryStore.conditional("remote");
            boolean failed = false;
            AtomicInteger requests = new AtomicInteger(Integer.MIN_VALUE);
            int last = request;
            RemoteAdapter remote = RemoteAdapter.of(
                    behind,
                    task -> {
                        if (requests.incrementAndGet() == last) {
                            delete(behind);
                            ordered(behind, Codecs.bytesBigEndian()).close();
                        }
                        task.run();
                    },
                    4);
            ordered(behind, Codecs.bytesLittleEndian()).close();
            try (ZarrArray old = Zarr.openArray(remote, "x", ZarrOptions.defaults())) {
                requests.set(0);
                old.write(Box.of(new long[] {2, 2}), new int[] {-1, -2, -3, -4}, 0);
            } catch (ZarrException e) {
                failed = true;
                assertTrue(requests.get() >= last, e::toString); // nothing else makes it fail
            }
            reached = requests.get() >= last;
            try (ZarrArray now = Zarr.openArray(behind, "x", ZarrOptions.defaults())) {
                boolean isChanged = reached && now.read().ints()[0] != 0;
                boolean isSeen = request > FIRST_LOOK_AT_THE_SHARD;
                assertFalse(isChanged && (isSeen || !failed), "replaced at request " + last + ", failed: " + failed);
            }
            assertTrue(reached || request > FIRST_LOOK_AT_THE_SHARD, "no request after the look at the shard");
        }
    }

    private static ZarrArray ordered(Store store, Json bytes) {
        ArraySpec spec = ArraySpec.of("int32", 32, 32)
                .withChunkShape(8, 8)
                .withShardShape(16, 16)
                .withCodecs(bytes);
        ZarrArray array = Zarr.createArray(store, "x", spec, IfExists.REFUSE, ZarrOptions.defaults());
        array.write(ALL, IntStream.range(0, 32 * 32).toArray(), 0);
        return array;
    }

    @Test
    void readersBesideDeletionAndCreation_findNothingCorrupt() throws Exception {
        for (Store store : stores()) {
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                readers.add(CompletableFuture.runAsync(
                        () -> {
                            while (!over.get()) {
                                readOnce(store);
                            }
                        },
                        task -> new Thread(task).start()));
            }
            try {
                for (int i = 0; i < 60; i++) {
                    made(store, i).close();
                    delete(store);
                }
            } finally {
                over.set(true);
            }
            for (CompletableFuture<Void> reader : readers) {
                reader.get(120, TimeUnit.SECONDS);
            }
        }
    }

    private static void readOnce(Store store) {
        try (ZarrArray array = Zarr.openArray(store, "x", ZarrOptions.defaults())) {
            for (int i = 0; i < 5; i++) {
                assertEquals(32 * 32, array.read(ALL).ints().length);
            }
        } catch (CorruptDataException e) {
            throw e;
        } catch (ZarrException e) {
            // deleted, or replaced
        }
    }
}
