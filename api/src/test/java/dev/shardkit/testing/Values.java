package dev.shardkit.testing;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What is written into arrays by these tests. */
public final class Values {
    private Values() {}

    /** The region from {@code origin} on, of {@code shape}. */
    public static Box box(long[] origin, long... shape) {
        return Box.of(origin, shape);
    }

    /** The region {@code [from, to)} of a one-dimensional array. */
    public static Box range(long from, long to) {
        return Box.of(new long[] {from}, new long[] {to - from});
    }

    /** Coordinates. */
    public static long[] at(long... at) {
        return at;
    }

    /** Numbers that do not compress, for all of an int16 or uint16 array, the same at every call. */
    public static short[] noise(ZarrArray array, int seed) {
        short[] values = new short[Math.toIntExact(array.domain().count())];
        Random random = new Random(seed);
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) (random.nextInt(1 << 15) + 1); // never the fill value
        }
        return values;
    }

    /** The part of C-ordered {@code values} of {@code array}'s shape that lies in {@code region}. */
    public static short[] cut(ZarrArray array, short[] values, Box region) {
        short[] part = new short[Math.toIntExact(region.count())];
        for (int i = 0; i < part.length; i++) {
            long index = 0;
            long[] at = region.at(i);
            for (int d = 0; d < at.length; d++) {
                index = index * array.shape()[d] + at[d];
            }
            part[i] = values[(int) index];
        }
        return part;
    }

    /** {@code region} of an int32 array with all elements {@code value}. */
    public static NdArray all(ZarrArray array, Box region, int value) {
        int[] values = new int[Math.toIntExact(region.count())];
        Arrays.fill(values, value);
        return NdArray.of(array.dataType(), region.shape(), values);
    }

    /** The keys of what is stored below an array's folder but its metadata and what is reserved, sorted. */
    public static List<String> keys(Path array) {
        try (Stream<Path> files = Files.walk(array)) {
            return files.filter(Files::isRegularFile)
                    .map(f -> array.relativize(f).toString().replace('\\', '/'))
                    .filter(k -> !k.startsWith("__") && !k.equals("zarr.json"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
