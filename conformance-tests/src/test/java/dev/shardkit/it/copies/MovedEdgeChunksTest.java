package dev.shardkit.it.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Chunks that the array's edge cuts, in copies with other shards: they move if nothing lies beyond the edge. The
 * document names another level than that of the chunks, so encoding them again gives other bytes.
 */
@Timeout(240)
class MovedEdgeChunksTest extends CopiedBytes {
    private static final String LEVEL = "\"level\":1";
    private static final String OTHER_LEVEL = "\"level\":9";

    @Test
    void cutChunks_move_ifTheRestIsFill() throws IOException {
        source("int8", 60, 44).close();
        try (ZarrArray from = edited(LEVEL, OTHER_LEVEL)) {
            copied(Copy.of(from).withShardShape(32, 32), from).close();
            assertEquals(12, moved());
        }
    }

    @Test
    void cutInnerChunks_move_outOfShards() throws IOException {
        ArraySpec spec = ArraySpec.of("int8", 20, 20)
                .withChunkShape(8, 8)
                .withShardShape(16, 16)
                .withCodecs(Codecs.zstd(1));
        try (ZarrArray array = Zarr.createArray(folder.resolve("from").toString(), spec)) {
            NdArray values = array.read();
            for (int i = 0; i < 400; i++) {
                values.bytes()[i] = (byte) i;
            }
            array.write(array.domain(), values);
        }
        try (ZarrArray from = edited(LEVEL, OTHER_LEVEL)) {
            copied(Copy.of(from).withoutShards(), from).close();
            String shards = String.join("", objects("from"));
            assertTrue(Arrays.stream(objects("copy")).allMatch(shards::contains));
        }
    }

    /** Another program made the array smaller, and left the elements beyond the new edge in its chunks. */
    @Test
    void elementsBeyondTheEdge_doNotAppear_whenTheCopyGrows() throws IOException {
        source("int8", 64, 48).close();
        try (ZarrArray from = edited("[64,48]", "[60,44]");
                ZarrArray copy = copied(Copy.of(from).withShardShape(32, 32), from)) {
            assertEquals(6, moved(), "6 of 12 chunks are cut");
            copy.resize(new long[] {64, 48}, ResizePolicy.KEEP);
        }
        try (ZarrArray grown = Zarr.openArray(folder.resolve("copy").toString())) {
            Box below = Box.of(new long[] {60, 0}, new long[] {4, 48});
            assertArrayEquals(new byte[4 * 48], grown.read(below).bytes());
            Box right = Box.of(new long[] {0, 44}, new long[] {64, 4});
            assertArrayEquals(new byte[64 * 4], grown.read(right).bytes());
        }
    }

    /** The elements beyond the edge are those of the fill value before. */
    @Test
    void cutChunks_ofAnotherFillValue_areEncodedAgain() throws IOException {
        source("int8", 60, 44).close();
        try (ZarrArray from = edited("\"fill_value\":0", "\"fill_value\":5")) {
            copied(Copy.of(from).withShardShape(32, 32), from).close();
            assertEquals(6, moved());
        }
    }
}
