package dev.shardkit.spi.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StridedRowsTest {
    /** Records the pairs of elements that a walk visits, row by row. */
    private static class Pairs implements StridedRows.Op {
        final List<List<Long>> visited = new ArrayList<>();
        int rows;

        @Override
        public void row(long a, long aStep, long b, long bStep, long n) {
            rows++;
            for (long i = 0; i < n; i++) {
                visited.add(List.of(a + i * aStep, b + i * bStep));
            }
        }
    }

    private static final class BlockPairs extends Pairs implements StridedRows.BlockOp {
        private int blocks;

        @Override
        public void block(long a, long as, long aAcross, long b, long bs, long bAcross, long n, long m) {
            blocks++;
            assertTrue(as == 1 && bAcross == 1 || bs == 1 && aAcross == 1);
            for (long j = 0; j < m; j++) {
                row(a + j * aAcross, as, b + j * bAcross, bs, n);
            }
        }
    }

    private static List<List<Long>> expected(long[] shape, long a, long[] sa, long b, long[] sb) {
        List<List<Long>> pairs = new ArrayList<>();
        for (long i = 0; i < Shapes.count(shape); i++) {
            long[] at = Shapes.unravel(i, shape);
            long x = a;
            long y = b;
            for (int d = 0; d < at.length; d++) {
                x += at[d] * sa[d];
                y += at[d] * sb[d];
            }
            pairs.add(List.of(x, y));
        }
        return pairs;
    }

    @Test
    void walk_anyViews_visitsAllPairsInOrder() {
        Random random = new Random(4);
        for (int i = 0; i < 3000; i++) {
            long[] shape = random.longs(random.nextInt(6), 0, 5).toArray();
            long[] sa = strides(shape, random);
            long[] sb = strides(shape, random);
            Pairs pairs = new Pairs();
            StridedRows.walk(shape, 7, sa, 9, sb, pairs);
            assertEquals(expected(shape, 7, sa, 9, sb), pairs.visited, () -> Arrays.toString(shape));
        }
    }

    /** C order, a permuted order, a part of a larger array, or the same element again and again. */
    private static long[] strides(long[] shape, Random random) {
        long[] outer = shape.clone();
        for (int d = 0; d < outer.length; d++) {
            outer[d] = Math.max(1, outer[d]) + (random.nextInt(3) == 0 ? 1 : 0);
        }
        long[] strides = Shapes.strides(outer);
        if (random.nextInt(3) == 0) {
            Arrays.fill(strides, 0);
        } else if (random.nextBoolean() && outer.length > 1) {
            int d = random.nextInt(outer.length - 1);
            long[] swapped = outer.clone();
            swapped[d] = outer[outer.length - 1];
            swapped[outer.length - 1] = outer[d];
            strides = Shapes.strides(swapped);
            long last = strides[d];
            strides[d] = strides[outer.length - 1];
            strides[outer.length - 1] = last;
        }
        return strides;
    }

    @Test
    void walk_transposedViews_visitsBlocks() {
        Random random = new Random(5);
        for (int i = 0; i < 300; i++) {
            long[] shape = {1 + random.nextInt(3), 2 + random.nextInt(70), 1 + random.nextInt(2), 2 + random.nextInt(70)
            };
            long[] sa = Shapes.strides(shape);
            long[] sb = {sa[0], 1, shape[1] * shape[3], shape[1]};
            BlockPairs pairs = new BlockPairs();
            StridedRows.walk(shape, 0, sa, 0, sb, pairs);
            assertTrue(pairs.blocks > 0);
            pairs.visited.sort((x, y) -> Long.compare(x.get(0), y.get(0)));
            assertEquals(expected(shape, 0, sa, 0, sb), pairs.visited, () -> Arrays.toString(shape));
        }
    }

    @Test
    void walk_contiguousDimensions_areOneRow() {
        Pairs pairs = new Pairs();
        StridedRows.walk(new long[] {2, 1, 3, 4}, 0, new long[] {12, 5, 4, 1}, 0, new long[] {24, 9, 4, 1}, pairs);
        assertEquals(2, pairs.rows);
    }
}
