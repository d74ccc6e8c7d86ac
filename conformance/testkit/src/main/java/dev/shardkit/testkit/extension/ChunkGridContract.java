package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.testkit.SampleChunks;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The contract of chunk grids as tests: each element of the array is in exactly one chunk. To test a grid, extend this
 * class and supply small grids (a few thousand elements), including grids with a zero length and without dimensions.
 */
public abstract class ChunkGridContract {
    /** The number of random regions of each array. */
    private static final int REGIONS = 200;

    /** For subclasses. */
    protected ChunkGridContract() {}

    /** A grid and the shape of its array. */
    public record Case(ChunkGrid grid, long[] arrayShape) {
        @Override
        public String toString() {
            return grid.name() + grid.configuration() + " on " + Arrays.toString(arrayShape);
        }
    }

    /** Returns the grids. */
    protected abstract List<Case> cases();

    /** Returns their factory. */
    protected abstract ChunkGridFactory factory();

    @Test
    void chunks_partitionTheArray() {
        for (Case c : cases()) {
            int[] owners = new int[Math.toIntExact(Shapes.count(c.arrayShape()))];
            Box array = Box.of(c.arrayShape());
            Box cells = cells(c, c.grid());
            for (long i = 0; i < cells.count(); i++) {
                Box chunk = c.grid().chunk(cells.at(i));
                Box inside = chunk.intersect(array);
                assertTrue(!inside.isEmpty(), () -> c + ": a chunk outside the array, or an empty one: " + chunk);
                for (long k = 0; k < inside.count(); k++) {
                    owners[(int) Shapes.ravel(inside.at(k), c.arrayShape())]++;
                }
            }
            for (int k = 0; k < owners.length; k++) {
                assertEquals(
                        1, owners[k], c + ": chunks that hold " + Arrays.toString(Shapes.unravel(k, c.arrayShape())));
            }
        }
    }

    @Test
    void touched_isExactlyTheChunksOfTheRegion() {
        for (Case c : cases()) {
            if (Box.of(c.arrayShape()).isEmpty()) {
                assertTrue(c.grid().touched(Box.of(c.arrayShape())).isEmpty(), () -> c + ": an empty array");
                continue;
            }
            Random random = new Random(9);
            assertTouched(c, Box.of(c.arrayShape()));
            for (int i = 0; i < REGIONS; i++) {
                assertTouched(c, SampleChunks.randomPart(c.arrayShape(), random));
            }
        }
    }

    /** Checks the cells that a grid returns for a region against each of its chunks. */
    private static void assertTouched(Case c, Box region) {
        Box found = c.grid().touched(region);
        Box cells = cells(c, c.grid());
        assertTrue(cells.contains(found), () -> c + ", region " + region + ": " + found + " of " + cells);
        for (long i = 0; i < cells.count(); i++) {
            long[] cell = cells.at(i);
            boolean meets = !c.grid().chunk(cell).intersect(region).isEmpty();
            boolean listed = found.contains(Box.of(cell, ones(cell.length)));
            assertEquals(meets, listed, () -> c + ", region " + region + ": chunk " + Arrays.toString(cell));
        }
    }

    /**
     * Returns the cells of a grid. Checks first that there are no more of them than indices of the array, so that all
     * can be visited.
     */
    private static Box cells(Case c, ChunkGrid grid) {
        long[] cells = grid.gridShape();
        for (int d = 0; d < cells.length; d++) {
            int dimension = d;
            assertTrue(
                    cells[d] <= c.arrayShape()[d],
                    () -> c + ": " + cells[dimension] + " chunks in dimension " + dimension
                            + ", more than the array has indices");
        }
        return Box.of(cells);
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    @Test
    void touched_byNothing_isNothing() {
        for (Case c : cases()) {
            for (int d = 0; d < c.arrayShape().length; d++) {
                long[] shape = c.arrayShape().clone();
                shape[d] = 0;
                assertTrue(c.grid().touched(Box.of(shape)).isEmpty(), () -> c + ", an empty region at the start");
                assertTrue(
                        c.grid().touched(Box.of(c.arrayShape(), shape)).isEmpty(),
                        () -> c + ", an empty region at the end");
            }
        }
    }

    @Test
    void configuration_makesTheSameGridAgain() {
        for (Case c : cases()) {
            ChunkGrid again = LoadedExtensions.made(c.grid().configuration(), config -> factory()
                    .create(config, c.arrayShape().clone()));
            assertEquals(factory().name(), c.grid().name());
            assertEquals(c.grid().configuration(), again.configuration(), () -> "written and read again: " + c);
            assertSameChunks(c, again);
            assertSameChunks(c, c.grid().resize(c.arrayShape().clone()));
        }
    }

    private static void assertSameChunks(Case c, ChunkGrid other) {
        assertArrayEquals(c.grid().gridShape(), other.gridShape(), () -> c + ": cells");
        Box cells = cells(c, other);
        for (long i = 0; i < cells.count(); i++) {
            long[] cell = cells.at(i);
            assertEquals(c.grid().chunk(cell), other.chunk(cell), () -> c + ": chunk " + Arrays.toString(cell));
        }
    }
}
