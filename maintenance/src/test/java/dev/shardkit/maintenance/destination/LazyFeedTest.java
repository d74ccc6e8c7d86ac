package dev.shardkit.maintenance.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

/** A feed of a sparse array reports parts of absent chunks as fill values, without loading them. */
class LazyFeedTest {
    private static final Box STORED = Box.of(new long[] {8, 16}, new long[] {8, 8});
    private static final Box ABSENT = Box.of(new long[] {32, 0}, new long[] {16, 80});

    private final MemoryStore store = MemoryStore.create();

    private ZarrArray array(String path, int fill) {
        ArraySpec spec = ArraySpec.of("int8", 80, 80).withChunkShape(8, 8).withFillValue(fill);
        return Zarr.createArray(store, path, spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    @Test
    void partsOfAbsentChunks_areFill_onceTheArrayIsListed() {
        ZarrArray from = array("from", 0);
        from.write(STORED, new byte[64], 0);
        from.write(Box.of(new long[] {8, 16}, new long[] {1, 1}), new byte[] {5}, 0);
        UnchangedArrayReads reads = new UnchangedArrayReads(from);
        LazyFeed feed = LazyFeed.of(reads, from.domain());
        assertEquals(Coverage.ALL, feed.window(from.domain()).coverage(ABSENT));
        assertTrue(reads.stored().isPresent());
        assertEquals(Coverage.FILL, feed.window(from.domain()).coverage(ABSENT));
        assertEquals(Coverage.ALL, feed.window(from.domain()).coverage(STORED));
        assertEquals(Coverage.ALL, feed.window(from.domain()).coverage(from.domain()));
        LazyFeed sameFill = feed.forCopy(reads, array("same", 0), new long[2], n -> {});
        assertEquals(Coverage.FILL, sameFill.window(from.domain()).coverage(ABSENT));
        LazyFeed otherFill = feed.forCopy(reads, array("other", 1), new long[2], n -> {});
        assertEquals(Coverage.ALL, otherFill.window(from.domain()).coverage(ABSENT));
    }
}
