package dev.shardkit.codec.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RangeSlabsTest {
    private static RangeSlabs of(long[] origin, long[] part, long... shape) {
        return RangeSlabs.of(Box.of(origin, part), Shapes.strides(shape), 2);
    }

    @Test
    void aPlane_isOneRange_ofItsOwnBytes() {
        RangeSlabs plane = of(new long[] {7, 0, 0}, new long[] {1, 32, 32}, 32, 32, 32);
        assertEquals(1, plane.count());
        assertEquals(1024, plane.span());
        assertEquals(7 * 1024, plane.firstElement(plane.slab(0)));
    }

    @Test
    void aColumnAcrossASmallChunk_isOneRange_sinceAThousandCostMore() {
        RangeSlabs column = of(new long[] {0, 0, 5}, new long[] {32, 32, 1}, 32, 32, 32);
        assertEquals(1, column.count());
        assertEquals(31 * 1024 + 31 * 32 + 1, column.span());
    }

    @Test
    void aCubeInALargeChunk_isARangeForEachOfItsPlanes() {
        RangeSlabs cube = of(new long[] {100, 200, 300}, new long[] {64, 64, 64}, 512, 512, 512);
        assertEquals(64, cube.count());
        assertEquals(63 * 512 + 64, cube.span());
        assertEquals(Box.of(new long[] {3, 0, 0}, new long[] {1, 64, 64}), cube.slab(3));
        assertEquals((103 * 512 + 200) * 512 + 300, cube.firstElement(cube.slab(3)));
    }

    @Test
    void slabs_coverEachElementOnce_withinTheirRanges() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            int rank = random.nextInt(4);
            long[] shape = new long[rank];
            long[] origin = new long[rank];
            long[] part = new long[rank];
            for (int d = 0; d < rank; d++) {
                shape[d] = 1 + random.nextInt(6);
                origin[d] = random.nextInt((int) shape[d]);
                part[d] = 1 + random.nextInt((int) (shape[d] - origin[d]));
            }
            for (int depth = 0; depth <= Math.max(0, rank - 1); depth++) {
                check(new RangeSlabs(Box.of(origin, part), Shapes.strides(shape), depth), shape);
            }
        }
    }

    private static void check(RangeSlabs slabs, long[] shape) {
        Set<Long> seen = new HashSet<>();
        for (long i = 0; i < slabs.count(); i++) {
            Box slab = slabs.slab(i);
            long first = slabs.firstElement(slab);
            for (long k = 0; k < slab.count(); k++) {
                long[] at = slab.at(k);
                for (int d = 0; d < at.length; d++) {
                    at[d] += slabs.region().origin(d);
                }
                long number = Shapes.ravel(at, shape);
                assertTrue(number >= first && number < first + slabs.span(), "within the range");
                assertTrue(seen.add(number), "once");
            }
        }
        assertEquals(slabs.region().count(), seen.size());
    }
}
