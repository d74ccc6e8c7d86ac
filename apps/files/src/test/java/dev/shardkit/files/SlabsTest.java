package dev.shardkit.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlabsTest {
    private static List<Box> all(Slabs slabs) {
        List<Box> all = new ArrayList<>();
        slabs.forEachRemaining(all::add);
        return all;
    }

    @Test
    void slabs_ofAnyRegion_followOneAnotherInCOrderWithinTheBound() {
        Random random = new Random(2);
        for (int round = 0; round < 3000; round++) {
            int rank = random.nextInt(5);
            long[] origin = random.longs(rank, 0, 9).toArray();
            long[] shape = random.longs(rank, random.nextInt(8) == 0 ? 0 : 1, 7).toArray();
            long[] chunk = random.longs(rank, 1, 5).toArray();
            long most = 1 + random.nextInt(60);
            Box region = Box.of(origin, shape);
            long next = 0;
            for (Box slab : all(new Slabs(region, chunk, most))) {
                assertTrue(region.contains(slab) && !slab.isEmpty() && slab.count() <= most, region + " " + slab);
                // the elements of a slab are neighbours: its first and its last one tell
                Box seen = slab.relativeTo(region);
                assertEquals(next, Shapes.ravel(seen.at(0), shape), region + " " + slab);
                next += slab.count();
                assertEquals(next - 1, Shapes.ravel(seen.at(slab.count() - 1), shape), region + " " + slab);
            }
            assertEquals(region.count(), next);
        }
    }

    @Test
    void slabs_ofWholeChunks_endWhereChunksEnd() {
        List<Box> slabs = all(new Slabs(Box.of(new long[] {3, 0}, new long[] {20, 10}), new long[] {4, 4}, 95));
        assertEquals("[[3:8, 0:10], [8:16, 0:10], [16:23, 0:10]]", slabs.toString());
    }

    @Test
    void slabs_ofMoreThanALongCanCount_beginAtOnce() {
        Slabs slabs = new Slabs(Box.of(new long[] {1L << 40, 1L << 40}), new long[] {64, 64}, 1 << 20);
        assertEquals(Box.of(new long[] {1, 1 << 20}), slabs.next());
        assertEquals(Box.of(new long[] {0, 1 << 20}, new long[] {1, 1 << 20}), slabs.next());
        assertTrue(slabs.hasNext());
        assertFalse(new Slabs(Box.of(new long[] {1L << 40, 0}), new long[] {1, 1}, 10).hasNext());
    }
}
