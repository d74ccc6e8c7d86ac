package dev.shardkit.soak;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * An array of the soak test, 4 shards with 64 inner chunks each, and the {@link Ledger} of the numbers that it must
 * hold. Thread-safe.
 */
record SoakArray(String name, Path path, ZarrOptions options, Ledger ledger) {
    /** The edge lengths of an inner chunk, a shard and the array, all of them squares. */
    static final int INNER = 8;

    static final int SHARD = 64;
    static final int SIDE = 128;
    /** The number of inner chunks along each edge. */
    static final int ACROSS = SIDE / INNER;

    static final int INNER_CHUNKS = ACROSS * ACROSS;

    /** Creates the array, with zeros, below {@code folder}. */
    static SoakArray create(Path folder, ShardWritePolicy.Strategy strategy) {
        String name = strategy.name().toLowerCase(Locale.ROOT);
        Path path = folder.resolve(name);
        ZarrOptions options = ZarrOptions.defaults()
                .withWritePolicy(ShardWritePolicy.defaults().withStrategy(strategy));
        Zarr.createArray(path.toString(), spec(), IfExists.REFUSE, options).close();
        return new SoakArray(name, path, options, new Ledger(INNER_CHUNKS));
    }

    private static ArraySpec spec() {
        return ArraySpec.of("int32", SIDE, SIDE)
                .withChunkShape(INNER, INNER)
                .withShardShape(SHARD, SHARD)
                .withFillValue(0);
    }

    ZarrArray open() {
        return Zarr.openArray(path.toString(), options);
    }

    /** Returns the box of an inner chunk. */
    static Box box(int innerChunk) {
        return Box.of(
                new long[] {(long) innerChunk / ACROSS * INNER, (long) innerChunk % ACROSS * INNER},
                new long[] {INNER, INNER});
    }

    /** Returns the elements of an inner chunk, all of them {@code number}. */
    static NdArray filled(ZarrArray array, int number) {
        int[] values = new int[INNER * INNER];
        Arrays.fill(values, number);
        return NdArray.of(array.dataType(), new long[] {INNER, INNER}, values);
    }

    /**
     * Reads a random rectangle of inner chunks and compares every element with the ledger.
     *
     * @return the errors, one for each wrong element
     */
    List<String> readAndCheck(Reads reads, Random random) throws Exception {
        int rows = 1 + random.nextInt(ACROSS / 2);
        int columns = 1 + random.nextInt(ACROSS / 2);
        int row = random.nextInt(ACROSS - rows + 1);
        int column = random.nextInt(ACROSS - columns + 1);
        // A read may see any write that was running: numbers from the last that had been written before the read, up to
        // the last that has begun after it.
        long[] min = new long[rows * columns];
        for (int i = 0; i < min.length; i++) {
            min[i] = ledger.finished((row + i / columns) * ACROSS + column + i % columns);
        }
        int[] found = reads.read(Box.of(
                        new long[] {(long) row * INNER, (long) column * INNER},
                        new long[] {(long) rows * INNER, (long) columns * INNER}))
                .ints();
        List<String> errors = new ArrayList<>();
        for (int i = 0; i < min.length; i++) {
            int innerChunk = (row + i / columns) * ACROSS + column + i % columns;
            int first = i / columns * INNER * columns * INNER + i % columns * INNER;
            String place = "inner chunk " + innerChunk + " of " + rows + " x " + columns;
            findErrors(found, first, columns * INNER, min[i], ledger.begun(innerChunk))
                    .forEach(error -> errors.add(place + ": " + error));
        }
        return errors;
    }

    /**
     * Checks the inner chunk whose first element is {@code found[first]}: one number from {@code min} to {@code max}.
     */
    private static List<String> findErrors(int[] found, int first, int stride, long min, long max) {
        List<String> errors = new ArrayList<>();
        for (int r = 0; r < INNER; r++) {
            for (int c = 0; c < INNER; c++) {
                int value = found[first + r * stride + c];
                if (value != found[first] || value < min || value > max) {
                    errors.add("expected " + min + " to " + max + ", all alike; found " + value + " beside "
                            + found[first]);
                }
            }
        }
        return errors;
    }

    /** Reads a region by one of the interfaces of the library. */
    @FunctionalInterface
    interface Reads {
        NdArray read(Box region) throws Exception;
    }
}
