package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The contract of chunk key encodings as tests: each chunk has a unique key that a store accepts. To test an encoding,
 * extend this class.
 */
public abstract class ChunkKeyEncodingContract {
    private static final List<long[]> GRIDS = List.of(
            new long[0], new long[] {1200}, new long[] {25, 115}, new long[] {3, 12, 12}, new long[] {2, 3, 11, 2, 2});

    /** For subclasses. */
    protected ChunkKeyEncodingContract() {}

    /** Returns the encodings. */
    protected abstract List<ChunkKeyEncoding> encodings();

    /** Returns their factory. */
    protected abstract ChunkKeyEncodingFactory factory();

    @Test
    void keys_ofOneArray_differ() {
        for (ChunkKeyEncoding encoding : encodings()) {
            for (long[] grid : GRIDS) {
                Map<String, long[]> keys = new HashMap<>();
                Box cells = Box.of(grid);
                for (long i = 0; i < cells.count(); i++) {
                    long[] cell = cells.at(i);
                    String key = encoding.encode(cell);
                    long[] other = keys.put(key, cell);
                    assertTrue(
                            other == null,
                            () -> encoding.name() + ": " + Arrays.toString(cell) + " and " + Arrays.toString(other)
                                    + " have the key " + key);
                    assertEquals(key, encoding.encode(cell.clone()));
                }
            }
        }
    }

    @Test
    void keys_areLegalAndApartFromMetadata() {
        for (ChunkKeyEncoding encoding : encodings()) {
            for (long[] cell :
                    List.of(new long[0], new long[] {0}, new long[] {0, 1}, new long[] {Long.MAX_VALUE, 10, 0})) {
                String key = encoding.encode(cell);
                assertTrue(key.matches("[^/]+(/[^/]+)*"), () -> encoding.name() + ": not a valid store key: " + key);
                assertFalse(
                        Arrays.stream(key.split("/")).anyMatch(n -> n.matches("\\.*") || n.startsWith("__")),
                        () -> encoding.name() + ": an illegal name in the key " + key);
                assertFalse(
                        key.equals("zarr.json") || key.endsWith("/zarr.json"),
                        () -> encoding.name() + ": metadata's key " + key);
            }
        }
    }

    @Test
    void configuration_makesTheSameEncodingAgain() {
        for (ChunkKeyEncoding encoding : encodings()) {
            ChunkKeyEncoding again = LoadedExtensions.made(encoding.configuration(), factory()::create);
            assertEquals(factory().name(), encoding.name());
            assertEquals(encoding.configuration(), again.configuration(), () -> "written and read again: " + encoding);
            assertEquals(encoding.encode(new long[] {1, 23}), again.encode(new long[] {1, 23}));
        }
    }
}
