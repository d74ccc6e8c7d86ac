package dev.shardkit.benchmarks.readers;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * The array that the benchmarks of readers read, and its expected elements: 256^3 uint16 in 8 shards of 128^3, with
 * inner chunks of 32^3 and zstd. Immutable.
 */
public final class Sample {
    private static final int EDGE = 256;
    private static final int INNER = 32;
    /** The number of inner chunks along each edge. */
    private static final int CELLS = EDGE / INNER;

    private static final String NAME = "readers.zarr";

    /** The elements of each inner chunk, both in C order. */
    private final short[][] expected = new short[CELLS * CELLS * CELLS][];

    /** Creates the elements. */
    Sample() {
        for (int i = 0; i < expected.length; i++) {
            Random random = new Random(i);
            short[] chunk = new short[INNER * INNER * INNER];
            for (int k = 0; k < chunk.length; k++) {
                chunk[k] = (short) (1000 + i + k / 50 + random.nextInt(16));
            }
            expected[i] = chunk;
        }
    }

    /** Writes the array into a folder of {@code parent}, and returns the folder's name. */
    String write(Path parent) {
        ArraySpec spec = ArraySpec.of("uint16", EDGE, EDGE, EDGE)
                .withShardShape(EDGE / 2, EDGE / 2, EDGE / 2)
                .withChunkShape(INNER, INNER, INNER)
                .withCodecs(Codecs.zstd(3));
        try (ZarrArray array =
                Zarr.createArray(parent.resolve(NAME).toString(), spec, IfExists.OVERWRITE, ZarrOptions.defaults())) {
            short[] all = new short[EDGE * EDGE * EDGE];
            for (int i = 0; i < expected.length; i++) {
                scatter(i, all);
            }
            array.write(array.domain(), all, 0);
        }
        return NAME;
    }

    /** Copies the elements of an inner chunk to their positions in the array. */
    private void scatter(int number, short[] all) {
        Box box = box(number);
        for (int z = 0; z < INNER; z++) {
            for (int y = 0; y < INNER; y++) {
                int to = (int) (((box.origin(0) + z) * EDGE + box.origin(1) + y) * EDGE + box.origin(2));
                System.arraycopy(expected[number], (z * INNER + y) * INNER, all, to, INNER);
            }
        }
    }

    /** Returns the number of inner chunks. */
    public int count() {
        return expected.length;
    }

    /** Returns the box of inner chunk {@code number}. */
    public Box box(int number) {
        long[] origin = {
            (long) number / CELLS / CELLS * INNER, (long) number / CELLS % CELLS * INNER, (long) number % CELLS * INNER
        };
        return Box.of(origin, new long[] {INNER, INNER, INNER});
    }

    /**
     * Compares the elements that were read from an inner chunk with the expected ones.
     *
     * @throws IllegalStateException if they differ
     */
    public void check(int number, NdArray read) {
        if (!Arrays.equals(expected[number], read.shorts())) {
            throw new IllegalStateException("wrong values in inner chunk " + number);
        }
    }

    /** Returns the element at an index. */
    short at(long z, long y, long x) {
        int number = (int) ((z / INNER * CELLS + y / INNER) * CELLS + x / INNER);
        return expected[number][(int) ((z % INNER * INNER + y % INNER) * INNER + x % INNER)];
    }
}
