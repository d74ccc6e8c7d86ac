package dev.shardkit.spi.grid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class GridTest {
    private static long[] of(long... values) {
        return values;
    }

    @Test
    void regular_cutsAnArray_edgeChunksWhole() {
        RegularGrid grid = RegularGrid.of(of(10, 0, 4), of(4, 3, 4));
        assertArrayEquals(of(3, 0, 1), grid.gridShape());
        assertEquals("{\"chunk_shape\":[4,3,4]}", grid.configuration().toString());
        RegularGrid flat = RegularGrid.of(of(10, 5), of(4, 5));
        assertEquals(Box.of(of(8, 0), of(4, 5)), flat.chunk(of(2, 0)));
        assertEquals(Box.of(of(1, 0), of(2, 1)), flat.touched(Box.of(of(7, 4), of(2, 1))));
        assertEquals(Box.of(of(1, 0), of(1, 1)), flat.touched(Box.of(of(4, 0), of(4, 5))));
        assertTrue(flat.touched(Box.of(of(4, 0), of(0, 5))).isEmpty());
        assertThrows(IllegalArgumentException.class, () -> flat.chunk(of(3, 0)));
        assertArrayEquals(of(1, 2), flat.resize(of(1, 6)).gridShape());
    }

    @Test
    void regular_withoutDimensions_isOneChunk() {
        RegularGrid grid = RegularGrid.of(of(), of());
        assertEquals(1, Box.of(grid.gridShape()).count());
        assertEquals(Box.of(of()), grid.chunk(of()));
        assertEquals(1, grid.touched(Box.of(of())).count());
    }

    @Test
    void regular_thatCannotBe_isRefused() {
        assertThrows(MetadataException.class, () -> RegularGrid.of(of(10), of(4, 4)));
        assertThrows(MetadataException.class, () -> RegularGrid.of(of(10), of(0)));
        assertThrows(MetadataException.class, () -> RegularGrid.of(of(10), of(-4)));
        assertThrows(MetadataException.class, () -> RegularGrid.of(of(Long.MAX_VALUE), of(1L << 62)));
        assertThrows(MetadataException.class, () -> RegularGrid.of(of((1L << 62) + 1), of((1L << 62))));
        assertArrayEquals(of(1), RegularGrid.of(of(1L << 62), of((1L << 62))).gridShape());
    }

    @Test
    void keys_areThoseOfTheSpecification() {
        assertEquals("c/0/12", ChunkKeys.standard(ChunkKeys.Separator.SLASH).encode(of(0, 12)));
        assertEquals("c.0.12", ChunkKeys.standard(ChunkKeys.Separator.DOT).encode(of(0, 12)));
        assertEquals("c", ChunkKeys.standard(ChunkKeys.Separator.DOT).encode(of()));
        assertEquals("0/12", ChunkKeys.v2(ChunkKeys.Separator.SLASH).encode(of(0, 12)));
        assertEquals("0.12", ChunkKeys.v2(ChunkKeys.Separator.DOT).encode(of(0, 12)));
        assertEquals("0", ChunkKeys.v2(ChunkKeys.Separator.DOT).encode(of()));
        assertEquals(
                "{\"separator\":\".\"}",
                ChunkKeys.v2(ChunkKeys.Separator.DOT).configuration().toString());
    }

    @Test
    void factories_areFound() {
        assertEquals(List.of("regular"), names(ServiceLoader.load(ChunkGridFactory.class)));
        assertEquals(List.of("default", "v2"), names(ServiceLoader.load(ChunkKeyEncodingFactory.class)));
    }

    private static List<String> names(ServiceLoader<? extends dev.shardkit.spi.Extension> loader) {
        return loader.stream().map(p -> p.get().name()).sorted().toList();
    }
}
