package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.testkit.internal.Rounds;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plans of copies to other chunks. */
@Timeout(300)
class RechunkPlanTest {
    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }

    private static long[] randomLengths(Random random, int rank, int max) {
        return IntStream.range(0, rank).mapToLong(d -> 1 + random.nextInt(max)).toArray();
    }

    private static double clippedProduct(long[] lengths, long[] shape) {
        double product = 1;
        for (int d = 0; d < lengths.length; d++) {
            product *= Math.min(lengths[d], shape[d]);
        }
        return product;
    }

    /** Returns how often a chunk is read on average. Counts the chunks of each shard. */
    private static double averageReads(long[] shape, long[] source, long[] target) {
        double reads = 1;
        for (int d = 0; d < shape.length; d++) {
            long touched = 0;
            for (long begin = 0; begin < shape[d]; begin += target[d]) {
                long end = Math.min(shape[d], begin + target[d]);
                touched += ceilDiv(end, source[d]) - begin / source[d];
            }
            reads *= (double) touched / ceilDiv(shape[d], source[d]);
        }
        return reads;
    }

    @Test
    void eachPassOfAPlan_readsEachChunkOnce() {
        Random seeds = new Random(20261126);
        int planned = 0;
        for (int i = 0; i < Rounds.of(2_000); i++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            int rank = 1 + random.nextInt(4);
            long[] shape = randomLengths(random, rank, 90);
            long[] source = randomLengths(random, rank, 30);
            long[] target = randomLengths(random, rank, 30);
            long bytes = 1 + random.nextInt(200_000);
            String seen = "seed " + seed + ": " + Arrays.toString(shape) + " " + Arrays.toString(source) + " to "
                    + Arrays.toString(target) + " in " + bytes;
            RechunkPlan plan;
            try {
                plan = RechunkPlan.of(shape, source, target, 2, bytes);
            } catch (UnsupportedException e) {
                assertTrue(
                        3 * 2 * Math.max(clippedProduct(source, shape), clippedProduct(target, shape)) > bytes, seen);
                continue;
            }
            assertTrue(plan.taskBytes() <= bytes, seen + plan);
            double direct = averageReads(shape, source, target);
            assertEquals(direct <= 3, plan.isDirect(), seen + plan);
            if (plan.isDirect()) {
                assertEquals(
                        direct * clippedProduct(shape, shape) * 2, plan.readBytes(), 1e-6 * plan.readBytes(), seen);
                continue;
            }
            planned++;
            long[] shard = plan.shardShape();
            long[] chunk = plan.chunkShape();
            for (int d = 0; d < rank; d++) {
                assertEquals(0, shard[d] % chunk[d], seen + plan);
                assertTrue(shard[d] >= shape[d] || shard[d] % source[d] == 0, seen + plan);
                assertTrue(target[d] >= shape[d] || target[d] % chunk[d] == 0, seen + plan);
            }
            assertEquals(1, averageReads(shape, source, shard), seen + plan);
            assertEquals(1, averageReads(shape, chunk, target), seen + plan);
        }
        assertTrue(planned > Rounds.of(200), planned + " plans");
    }

    @Test
    void innerChunksAreAsLargeAsTheMemoryAllows() {
        long[] shape = {1000, 2000, 2000};
        RechunkPlan plan = RechunkPlan.of(shape, new long[] {1, 2000, 2000}, new long[] {1000, 20, 20}, 2, 1L << 30);
        assertArrayEquals(new long[] {32, 20, 20}, plan.chunkShape());
        assertArrayEquals(new long[] {32, 2000, 2000}, plan.shardShape());
        assertTrue(
                plan.toString()
                        .startsWith("two passes, because one pass would decode each chunk of the source 10000 times on "
                                + "average; intermediate array of up to 7630 MiB with shards of [32, 2000, 2000] and "
                                + "inner chunks of [32, 20, 20]; decodes 14.9 GiB and encodes 14.9 GiB; each task "
                                + "needs 733 MiB"),
                plan.toString());
        assertTrue(RechunkPlan.of(shape, new long[] {10, 100, 100}, new long[] {20, 200, 200}, 2, 1L << 30)
                .isDirect());
        String refused = assertThrows(
                        UnsupportedException.class,
                        () -> RechunkPlan.of(
                                shape, new long[] {1, 2000, 2000}, new long[] {1000, 20, 20}, 2, 20L << 20))
                .getMessage();
        assertTrue(
                refused.contains(
                        "a chunk of the source of [1, 2000, 2000] with 2 bytes for each element needs 24000000 bytes"),
                refused);
        RechunkPlan long1d = RechunkPlan.of(new long[] {1L << 40}, new long[] {1L << 30}, new long[] {7}, 8, 1L << 40);
        assertArrayEquals(new long[] {7}, long1d.chunkShape());
    }
}
