package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer in place changes one of 36 files each time that a reader has opened ten: whoever reads all of them again
 * when one has changed never ends.
 */
@Timeout(300)
class ReadBesideWriterTest {
    private static final int SIDE = 6;
    private static final int SHARD = 16;
    private static final int CHUNK = 4;
    private static final int LENGTH = SIDE * SHARD;
    /** The key of the file that changes. */
    private static final String FIRST = "c/0/0";

    @TempDir
    Path dir;

    private final Map<String, AtomicInteger> opens = new ConcurrentHashMap<>();
    private final AtomicInteger time = new AtomicInteger();
    private final AtomicBoolean writing = new AtomicBoolean();
    private final CountDownLatch firstIsOpen = new CountDownLatch(1);
    private ZarrArray writer;
    private ZarrArray reader;

    /** A store whose every tenth opening of a chunk comes with a write. The file that changes is opened first. */
    private final class Beside implements Store, LocalReads {
        private final FileStore own;

        Beside(FileStore own) {
            this.own = own;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            if (writing.get() && key.startsWith("c/")) {
                opens.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
                if (!key.equals(FIRST)) {
                    await(firstIsOpen);
                }
                int now = time.incrementAndGet();
                if (now % 10 == 0) {
                    overwriteFirstChunk((byte) now);
                }
            }
            Optional<ObjectSnapshot> opened = own.open(key);
            if (key.equals(FIRST)) {
                firstIsOpen.countDown();
            }
            return opened;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public String describe() {
            return own.describe();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized void overwriteFirstChunk(byte value) {
        byte[] elements = new byte[CHUNK * CHUNK];
        Arrays.fill(elements, value);
        writer.write(
                Box.of(new long[2], new long[] {CHUNK, CHUNK}),
                NdArray.of(writer.dataType(), new long[] {CHUNK, CHUNK}, elements));
    }

    @BeforeEach
    void makeArray() {
        FileStore files = FileStore.at(dir);
        ZarrOptions options =
                ZarrOptions.defaults().withDurability(Durability.ATOMIC).withParallelism(3);
        ZarrArray made = Zarr.createArray(
                files,
                "",
                ArraySpec.of("uint8", LENGTH, LENGTH)
                        .withChunkShape(CHUNK, CHUNK)
                        .withShardShape(SHARD, SHARD)
                        .withCodecs(Codecs.bytesLittleEndian(), Codecs.crc32c()),
                IfExists.REFUSE,
                options);
        byte[] elements = new byte[LENGTH * LENGTH];
        Arrays.fill(elements, (byte) 1);
        made.write(made.domain(), NdArray.of(made.dataType(), made.shape(), elements));
        writer = made.with(o -> o.withWritePolicy(o.writePolicy().withStrategy(ShardWritePolicy.Strategy.IN_PLACE)));
        reader = Zarr.openArray(new Beside(files), "", options);
        writing.set(true);
    }

    /** The first inner chunk is of one write, all else as it was; no other file was opened twice. */
    private void check(NdArray read) {
        byte[] expected = new byte[LENGTH * LENGTH];
        Arrays.fill(expected, (byte) 1);
        byte[] elements = (byte[]) read.array();
        for (int i = 0; i < CHUNK; i++) {
            Arrays.fill(expected, i * LENGTH, i * LENGTH + CHUNK, elements[0]);
        }
        assertArrayEquals(expected, elements);
        assertTrue(elements[0] % 10 == 0, "as last written: " + elements[0]);
        assertEquals(SIDE * SIDE, opens.size());
        int first = opens.remove(FIRST).get();
        assertTrue(first > 1 && first <= 20, first + " times");
        opens.forEach((key, times) -> assertEquals(1, times.get(), key));
    }

    @Test
    void read_besideAWriterInPlace_readsAgainWhatHasChangedAndNothingElse() {
        check(reader.read());
    }

    @Test
    void asynchronousRead_besideAWriterInPlace_readsAgainWhatHasChangedAndNothingElse() throws Exception {
        check(reader.readAsync(reader.domain()).get());
    }
}
