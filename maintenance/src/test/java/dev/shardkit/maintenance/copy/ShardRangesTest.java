package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.ShardRange;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of the shards of a copy in parts. */
class ShardRangesTest extends PartedCopyTestBase {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 50})
    void ranges_leaveOutWhatIsNotStored(int maxRanges) throws IOException {
        PartedCopy copy = reshardedCopy();
        copy.begin();
        List<ShardRange> ranges = copy.split(maxRanges);
        assertEquals(4, ranges.stream().mapToLong(ShardRange::count).sum(), "of 3 shards of each array, 2 are stored");
        assertEquals(6, copy.shards());
        assertTrue(ranges.size() <= 2 * maxRanges, ranges::toString);
        for (ShardRange range : ranges) {
            reshardedCopy().write(range);
            reshardedCopy().write(range);
        }
        copy.publish();
        assertCopied();
    }

    @Test
    void ranges_areScattered() {
        ZarrArray array =
                source.createArray("sparse", ArraySpec.of("int8", 1_000_000).withChunkShape(10), IfExists.REFUSE);
        long[] places = {0, 7, 500_000, 999_999};
        for (long place : places) {
            array.write(Box.of(new long[] {place}, new long[] {1}), new byte[] {1}, 0);
        }
        PartedCopy copy = Copy.of(array).withShardShape(100).inParts(FileStore.at(dir.resolve("sparse")), OPTIONS);
        List<ShardRange> ranges = copy.split(2);
        assertEquals(
                List.of("shards 0 to 5000", "shards 9999 to 9999"),
                ranges.stream().map(ShardRange::toString).toList());
        copy.begin();
        ranges.forEach(copy::write);
        copy.publish();
        ZarrArray copied = Zarr.openArray(dir.resolve("sparse").toString());
        assertEquals(3, copied.presence().atLevel(0).count());
        for (long place : places) {
            assertEquals(
                    1, copied.read(Box.of(new long[] {place}, new long[] {1})).bytes()[0]);
        }
    }

    /** A store of files that counts the reads of the mark of an unfinished copy. */
    private static final class CountingStore extends ForwardingStore implements LocalReads {
        private final LocalReads files;
        private final AtomicInteger marks = new AtomicInteger();

        CountingStore(FileStore store) {
            super(store);
            this.files = (LocalReads) store.reads();
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            if (key.equals("__unfinished")) {
                marks.incrementAndGet();
            }
            return files.open(key);
        }
    }

    /** In a remote store, each read of the mark is a request. */
    @Test
    void write_readsTheMarkOnceForEachShardThatMayHoldData() {
        ZarrArray array =
                source.createArray("sparse", ArraySpec.of("int8", 1_000_000).withChunkShape(10), IfExists.REFUSE);
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
    void split_ofAnyNumberOfShards_returnsAtMostTheRequestedRanges() {
        ZarrArray array = source.createArray(
                "endless", ArraySpec.of("int8", Long.MAX_VALUE - 1).withChunkShape(1), IfExists.REFUSE);
        PartedCopy copy = Copy.of(array).inParts(target(), OPTIONS);
        assertEquals(3, copy.split(3).size());
        assertEquals(1, copy.split(1).size());
        assertThrows(IllegalArgumentException.class, () -> copy.split(0));
    }
}
