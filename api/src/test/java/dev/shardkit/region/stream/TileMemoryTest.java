package dev.shardkit.region.stream;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class TileMemoryTest {
    private static final int SIZE = (1 << 16) + 24;

    /** A collection between the calls frees the tile; one in each of many rounds does not happen. */
    @Test
    void tilesOfAClosedStream_serveTheNext() {
        boolean isServed = false;
        for (int round = 0; round < 100; round++) {
            ByteBuffer tile = TileMemory.ofProcess().take(SIZE);
            assertTrue(tile.isDirect());
            TileMemory.ofProcess().release(List.of(tile));
            assertNotSame(tile, TileMemory.ofProcess().take(SIZE + 1));
            isServed |= TileMemory.ofProcess().take(SIZE) == tile;
            assertNotSame(tile, TileMemory.ofProcess().take(SIZE), "it serves one stream");
        }
        assertTrue(isServed);
    }

    @Test
    void smallTiles_areOnTheHeap() {
        assertFalse(TileMemory.ofProcess().take(512).isDirect());
    }
}
