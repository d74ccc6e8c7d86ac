package dev.shardkit.soak;

import dev.shardkit.ArraySpec;
import dev.shardkit.Existing;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.WritePolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** One array of 4 shards with 64 inner chunks each, and what it must hold. Thread-safe. */
record Scene(String name, Path path, ZarrOptions options, Ledger ledger) {
    static final int INNER = 8;
    static final int SHARD = 64;
    static final int SIDE = 128;
    static final int ACROSS = SIDE / INNER;
    static final int INNER_CHUNKS = ACROSS * ACROSS;

    /** Creates the array, with zeros, below {@code folder}. */
    static Scene create(Path folder, WritePolicy.Strategy strategy) {
        String name = strategy.name().toLowerCase(Locale.ROOT);
        Path path = folder.resolve(name);
        ZarrOptions options =
                ZarrOptions.defaults().withWritePolicy(WritePolicy.defaults().withStrategy(strategy));
        Zarr.createArray(path.toString(), spec(), Existing.REFUSE, options).close();
        return new Scene(name, path, options, new Ledger(INNER_CHUNKS));
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

    static Box box(int innerChunk) {
        return Box.of(
                new long[] {(long) innerChunk / ACROSS * INNER, (long) innerChunk % ACROSS * INNER},
                new long[] {INNER, INNER});
    }

    /** An inner chunk in which every element is {@code number}. */
    static NdArray filled(ZarrArray array, int number) {
        int[] values = new int[INNER * INNER];
        Arrays.fill(values, number);
        return NdArray.of(array.dataType(), new long[] {INNER, INNER}, values);
    }

    /**
     * Reads a random rectangle of inner chunks and compares every element with the ledger.
     *
     * @return what is wrong, an item for each element
     */
    List<String> readAndCheck(Reads reads, Random random) throws Exception {
        int rows = 1 + random.nextInt(ACROSS / 2);
        int columns = 1 + random.nextInt(ACROSS / 2);
        int row = random.nextInt(ACROSS - rows + 1);
        int column = random.nextInt(ACROSS - columns + 1);
        long[] least = new long[rows * columns];
        for (int i = 0; i < least.length; i++) {
            least[i] = ledger.finished((row + i / columns) * ACROSS + column + i % columns);
        }
        int[] found = reads.read(Box.of(
                        new long[] {(long) row * INNER, (long) column * INNER},
                        new long[] {(long) rows * INNER, (long) columns * INNER}))
                .ints();
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < least.length; i++) {
            int innerChunk = (row + i / columns) * ACROSS + column + i % columns;
            int first = i / columns * INNER * columns * INNER + i % columns * INNER;
            String place = "inner chunk " + innerChunk + " of " + rows + " x " + columns;
            wrongIn(found, first, columns * INNER, least[i], ledger.begun(innerChunk))
                    .forEach(w -> wrong.add(place + ": " + w));
        }
        return wrong;
    }

    private static List<String> wrongIn(int[] found, int first, int stride, long least, long most) {
        List<String> wrong = new ArrayList<>();
        for (int r = 0; r < INNER; r++) {
            for (int c = 0; c < INNER; c++) {
                int value = found[first + r * stride + c];
                if (value != found[first] || value < least || value > most) {
                    wrong.add("expected " + least + " to " + most + ", all alike; found " + value + " beside "
                            + found[first]);
                }
            }
        }
        return wrong;
    }

    /** A way to read a region. */
    @FunctionalInterface
    interface Reads {
        NdArray read(Box region) throws Exception;
    }
}
