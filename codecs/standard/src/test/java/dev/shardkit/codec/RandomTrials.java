package dev.shardkit.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.testkit.internal.Rounds;
import java.util.Random;
import java.util.function.Consumer;

/** Runs a test on random inputs. */
final class RandomTrials {
    private RandomTrials() {}

    /** Runs a test that takes all it varies from a source of random numbers. A failure names the seed of its input. */
    static void run(int defaultRounds, Consumer<Random> test) {
        Random seeds = new Random();
        for (int i = 0; i < Rounds.of(defaultRounds); i++) {
            long seed = seeds.nextLong();
            try {
                test.accept(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
    }

    /** Returns up to three dimensions of up to five elements. */
    static long[] shape(Random random) {
        return random.longs(random.nextInt(4), 1, 6).toArray();
    }

    /** Returns any box within a shape, an empty one too. */
    static Box part(Random random, long[] shape) {
        long[] origin = new long[shape.length];
        long[] size = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            origin[d] = random.nextLong(shape[d] + 1);
            size[d] = random.nextLong(shape[d] - origin[d] + 1);
        }
        return Box.of(origin, size);
    }

    static byte[] bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
