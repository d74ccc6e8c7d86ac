package dev.shardkit.grid.rectilinear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RectilinearGridTest {
    private static final long HUGE = 1L << 60;

    private static RectilinearGrid grid(long length, ChunkLengths edges) {
        return RectilinearGrid.of(new long[] {length}, List.of(edges));
    }

    private static Box box(long from, long length) {
        return Box.of(new long[] {from}, new long[] {length});
    }

    @Test
    void specExample_expandsAsItSays() {
        List<ChunkLengths> edges = List.of(
                ChunkLengths.uniform(4),
                ChunkLengths.of(1, 2, 3),
                ChunkLengths.builder().add(4, 2).build(),
                ChunkLengths.builder().add(1, 3).add(3, 1).build(),
                ChunkLengths.of(4, 4, 4));
        RectilinearGrid grid = RectilinearGrid.of(new long[] {6, 6, 6, 6, 6}, edges);
        assertArrayEquals(new long[] {2, 3, 2, 4, 2}, grid.gridShape());
        assertEquals(
                Box.of(new long[] {4, 3, 4, 3, 4}, new long[] {4, 3, 4, 3, 4}), grid.chunk(new long[] {1, 2, 1, 3, 1}));
    }

    @Test
    void index_liesInTheChunkWhoseSumFirstExceedsIt() {
        RectilinearGrid grid =
                RectilinearGrid.of(new long[] {26, 38}, List.of(ChunkLengths.of(16, 10), ChunkLengths.of(24, 14)));
        assertEquals(
                Box.of(new long[] {1, 0}, new long[] {1, 1}),
                grid.touched(Box.of(new long[] {20, 15}, new long[] {1, 1})));
        assertEquals(
                Box.of(new long[] {1, 1}, new long[] {1, 1}),
                grid.touched(Box.of(new long[] {16, 24}, new long[] {1, 1})));
        assertEquals(
                Box.of(new long[] {0, 0}, new long[] {1, 1}),
                grid.touched(Box.of(new long[] {15, 23}, new long[] {1, 1})));
    }

    @Test
    void hugeRuns_costNothing() {
        RectilinearGrid grid = grid(
                HUGE,
                ChunkLengths.builder().add(3, 1).add(1, HUGE).add(5, 1L << 58).build());
        assertArrayEquals(new long[] {HUGE - 2}, grid.gridShape());
        assertEquals(box(HUGE - 5, 3), grid.touched(box(HUGE - 3, 3)));
        assertEquals(box(HUGE - 1, 1), grid.chunk(new long[] {HUGE - 3}));
        RectilinearGrid wide = grid(
                HUGE + 7,
                ChunkLengths.builder().add(1L << 40, 1L << 20).add(7, 1L << 50).build());
        assertArrayEquals(new long[] {(1L << 20) + 1}, wide.gridShape());
        assertEquals(box(HUGE, 7), wide.chunk(new long[] {1L << 20}));
        assertEquals(
                List.of("[1099511627776]", "[7]"),
                wide.sampleShapes(9).stream().map(Arrays::toString).collect(Collectors.toList()));
    }

    @Test
    void runs_arePaidByTheirNumberAndFoundByBinarySearch() {
        ChunkLengths.Builder builder = ChunkLengths.builder();
        for (int i = 0; i < 100_000; i++) {
            builder.add(1 + i % 2, 1);
        }
        RectilinearGrid grid = grid(150_000, builder.build());
        for (long at : new long[] {0, 1, 2, 3, 74_999, 75_000, 149_999}) {
            long cell = at / 3 * 2 + (at % 3 == 0 ? 0 : 1);
            assertEquals(box(cell, 1), grid.touched(box(at, 1)), () -> "index " + at);
            assertTrue(grid.chunk(new long[] {cell}).contains(box(at, 1)), () -> "index " + at);
        }
        assertEquals(2, grid.sampleShapes(100).size());
    }

    @Test
    void samples_haveEveryLength_asFarAsTheyReach() {
        RectilinearGrid grid =
                RectilinearGrid.of(new long[] {9, 10}, List.of(ChunkLengths.of(2, 3, 4, 100), ChunkLengths.of(5, 5)));
        assertEquals(
                List.of("[2, 5]", "[3, 5]", "[4, 5]"),
                grid.sampleShapes(8).stream().map(Arrays::toString).toList());
        assertEquals(2, grid.sampleShapes(2).size());
    }

    @Test
    void chunksBehindTheEnd_areNoCells_butStayInTheMetadata() {
        RectilinearGrid grid = grid(10, ChunkLengths.of(4, 4, 4, 4));
        assertArrayEquals(new long[] {3}, grid.gridShape());
        assertThrows(IllegalArgumentException.class, () -> grid.chunk(new long[] {3}));
        assertEquals(
                "{\"kind\":\"inline\",\"chunk_shapes\":[[[4,4]]]}",
                grid.configuration().toString());
        assertArrayEquals(new long[] {4}, grid.resize(new long[] {16}).gridShape());
    }

    @Test
    void resize_goesOnWithTheLastLength() {
        RectilinearGrid grid = grid(10, ChunkLengths.of(2, 5, 3));
        assertEquals(ChunkLengths.of(2, 5, 3), grid.resize(new long[] {1}).edges(0));
        assertArrayEquals(new long[] {1}, grid.resize(new long[] {1}).gridShape());
        assertEquals(
                ChunkLengths.of(2, 5, 3, 3, 3), grid.resize(new long[] {14}).edges(0));
        assertEquals(
                ChunkLengths.uniform(4),
                grid(10, ChunkLengths.uniform(4)).resize(new long[] {100}).edges(0));
        assertEquals(
                ChunkLengths.of(6),
                grid(0, ChunkLengths.of()).resize(new long[] {6}).edges(0));
        assertThrows(
                MetadataException.class, () -> grid(10, ChunkLengths.of(8, 2)).resize(new long[] {Long.MAX_VALUE}));
        assertThrows(MetadataException.class, () -> grid.resize(new long[] {1, 1}));
    }

    @Test
    void edges_thatEndBeforeTheArray_orBehindAllNumbers_areRefused() {
        MetadataException e = assertThrows(MetadataException.class, () -> grid(10, ChunkLengths.of(4, 4)));
        assertTrue(e.getMessage().contains("10") && e.getMessage().contains("8"), e.getMessage());
        assertThrows(MetadataException.class, () -> ChunkLengths.builder().add(HUGE, HUGE));
        assertThrows(MetadataException.class, () -> ChunkLengths.of(Long.MAX_VALUE, 1));
        assertThrows(MetadataException.class, () -> grid(Long.MAX_VALUE, ChunkLengths.uniform(2)));
        assertThrows(MetadataException.class, () -> ChunkLengths.of(1, 0));
        assertThrows(MetadataException.class, () -> ChunkLengths.uniform(0));
    }

    @Test
    void equality_isOfWhatTheyMean() {
        assertEquals(ChunkLengths.of(4, 4, 4), ChunkLengths.builder().add(4, 3).build());
        assertNotEquals(ChunkLengths.uniform(4), ChunkLengths.of(4));
        assertEquals(
                grid(8, ChunkLengths.of(4, 4)),
                grid(8, ChunkLengths.builder().add(4, 2).build()));
        assertNotEquals(grid(8, ChunkLengths.of(4, 4)), grid(7, ChunkLengths.of(4, 4)));
    }
}
