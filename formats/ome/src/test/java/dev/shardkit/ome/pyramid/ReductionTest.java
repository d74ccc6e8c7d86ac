package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.MissingValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random blocks of all number types against a loop with {@link BigInteger} and {@code double}. */
class ReductionTest {
    private static DataType type(String name) {
        return Zarr.describe(ArraySpec.of(name, 1), ZarrOptions.defaults()).dataType();
    }

    private static Elements.Fixed elements(DataType type, byte[] bytes) {
        return Elements.Fixed.of(type, ByteBuffer.wrap(bytes), ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
                "float64", "bool"
            })
    void randomBlocks_areReducedLikeALoop(String name) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DataType type = type(name);
        for (int round = 0; round < 60; round++) {
            int rank = 1 + random.nextInt(4);
            long[] shape = new long[rank];
            int[] factors = new int[rank];
            int count = 1;
            for (int d = 0; d < rank; d++) {
                shape[d] = 1 + random.nextInt(7);
                factors[d] =
                        round % 3 > 0 ? 1 + random.nextInt(3) : d < rank - 2 ? 1 : 2; // planes have code of their own
                count *= (int) shape[d];
            }
            byte[] bytes = new byte[count * type.elementSize().orElseThrow()];
            fill(bytes, name, random);
            for (Reducer reducer : Reducer.values()) {
                if (reducer == Reducer.MODE && name.startsWith("float")
                        || (reducer == Reducer.MEAN || reducer == Reducer.MEDIAN) && name.equals("bool")) {
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Reduction.of(type, reducer, MissingValues.NONE, factors));
                } else {
                    String context = "seed " + seed + ", " + reducer;
                    compare(type, reducer, MissingValues.NONE, shape, factors, bytes, context);
                    compare(type, reducer, missing(type, bytes, random), shape, factors, bytes, context);
                }
            }
        }
    }

    /** Few different values, so that modes exist; in every second round, any. Booleans are 0 and 1. */
    private static void fill(byte[] bytes, String name, Random random) {
        random.nextBytes(bytes);
        boolean few = random.nextBoolean();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = name.equals("bool") ? (byte) (bytes[i] & 1) : few ? (byte) (bytes[i] % 2 * 127) : bytes[i];
        }
    }

    private static void compare(
            DataType type,
            Reducer reducer,
            MissingValues missing,
            long[] shape,
            int[] factors,
            byte[] bytes,
            String context) {
        long[] small = Reduction.shape(shape, factors);
        int size = type.elementSize().orElseThrow();
        int count = 1;
        for (long length : small) {
            count *= (int) length;
        }
        byte[] result = new byte[count * size];
        Reduction.of(type, reducer, missing, factors).reduce(elements(type, bytes), shape, elements(type, result));
        for (int i = 0; i < count; i++) {
            long[] at = Shapes.unravel(i, small);
            List<Long> block = new ArrayList<>();
            List<Long> middle = new ArrayList<>();
            collect(bytes, size, shape, factors, at, new long[0], block, middle);
            assertEquals(
                    expected(type, reducer, missing, block, middle.get(0)),
                    word(result, size, i),
                    () -> context + ", " + type.name() + " " + Arrays.toString(shape) + " by "
                            + Arrays.toString(factors) + " at " + Arrays.toString(at));
        }
    }

    /** NaN, and the word of one element or none. */
    private static MissingValues missing(DataType type, byte[] bytes, Random random) {
        int size = type.elementSize().orElseThrow();
        int at = random.nextInt(bytes.length / size);
        FillValue one = FillValue.of(Arrays.copyOfRange(bytes, at * size, (at + 1) * size));
        MissingValues declared = MissingValues.of(type, Json.object());
        return random.nextBoolean() ? declared.with(type, one) : declared;
    }

    private static long expected(DataType type, Reducer reducer, MissingValues missing, List<Long> block, long middle) {
        if (missing.isEmpty() || reducer == Reducer.NEAREST) {
            return naive(type, reducer, block, middle);
        }
        List<Long> rest = block.stream().filter(w -> !missing.contains(w)).toList();
        return rest.isEmpty() ? block.get(0) : naive(type, reducer, rest, middle);
    }

    /** Collects the words of a block in C order, and the one in its middle. */
    private static void collect(
            byte[] bytes,
            int size,
            long[] shape,
            int[] factors,
            long[] at,
            long[] index,
            List<Long> block,
            List<Long> middle) {
        int d = index.length;
        if (d == shape.length) {
            long word = word(bytes, size, (int) Shapes.ravel(index, shape));
            block.add(word);
            boolean isMiddle = true;
            for (int e = 0; e < d; e++) {
                long start = at[e] * factors[e];
                long length = Math.min(factors[e], shape[e] - start);
                isMiddle &= index[e] == start + (length - 1) / 2;
            }
            if (isMiddle) {
                middle.add(word);
            }
            return;
        }
        for (long i = at[d] * factors[d]; i < Math.min(shape[d], (at[d] + 1) * factors[d]); i++) {
            long[] next = Arrays.copyOf(index, d + 1);
            next[d] = i;
            collect(bytes, size, shape, factors, at, next, block, middle);
        }
    }

    private static long word(byte[] bytes, int size, int element) {
        long word = 0;
        for (int b = size - 1; b >= 0; b--) {
            word = word << 8 | bytes[element * size + b] & 0xff;
        }
        return word;
    }

    private static long naive(DataType type, Reducer reducer, List<Long> words, long middle) {
        if (reducer == Reducer.NEAREST) {
            return middle;
        }
        if (type.number().orElse(null) instanceof FloatingFormat format) {
            double[] values = words.stream().mapToDouble(format::value).toArray();
            double result =
                    switch (reducer) {
                        case MEAN -> Arrays.stream(values).boxed().reduce(0.0, Double::sum) / values.length;
                        case MAX -> Arrays.stream(values).max().orElseThrow();
                        case MIN -> Arrays.stream(values).min().orElseThrow();
                        default -> median(values);
                    };
            return format.cut(format.bitsOf(format.round(result)));
        }
        boolean isSigned = type.carrier() != Carrier.BOOLEAN
                && ((IntegerFormat) type.number().orElseThrow()).isSigned();
        int bits = type.elementSize().orElseThrow() * 8;
        List<BigInteger> values =
                words.stream().map(w -> value(w, bits, isSigned)).toList();
        BigInteger result =
                switch (reducer) {
                    case MEAN -> mean(values);
                    case MAX -> values.stream().max(Comparator.naturalOrder()).orElseThrow();
                    case MIN -> values.stream().min(Comparator.naturalOrder()).orElseThrow();
                    case MEDIAN -> mean(middle(values));
                    default -> mode(values);
                };
        return result.and(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE))
                .longValue();
    }

    private static BigInteger mean(List<BigInteger> values) {
        return new BigDecimal(values.stream().reduce(BigInteger.ZERO, BigInteger::add))
                .divide(BigDecimal.valueOf(values.size()), 0, RoundingMode.HALF_EVEN)
                .toBigIntegerExact();
    }

    private static <T extends Comparable<T>> List<T> middle(List<T> values) {
        List<T> sorted = values.stream().sorted().toList();
        return sorted.subList((sorted.size() - 1) / 2, sorted.size() / 2 + 1);
    }

    private static double median(double[] values) {
        List<Double> middle = middle(Arrays.stream(values).boxed().toList());
        return Arrays.stream(values).anyMatch(Double::isNaN)
                ? Double.NaN
                : middle.size() == 1 || middle.get(0).equals(middle.get(1))
                        ? middle.get(0)
                        : (middle.get(0) + middle.get(1)) / 2;
    }

    private static BigInteger value(long word, int bits, boolean isSigned) {
        BigInteger all =
                BigInteger.valueOf(word).and(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE));
        return isSigned && all.testBit(bits - 1) ? all.subtract(BigInteger.ONE.shiftLeft(bits)) : all;
    }

    private static BigInteger mode(List<BigInteger> values) {
        TreeMap<BigInteger, Integer> counts = new TreeMap<>();
        values.forEach(v -> counts.merge(v, 1, Integer::sum));
        int most = counts.values().stream().max(Comparator.naturalOrder()).orElseThrow();
        return counts.entrySet().stream()
                .filter(e -> e.getValue() == most)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    @Test
    void othersThanNumbers_areKeptOnly() {
        DataType complex = type("complex128");
        byte[] bytes = new byte[16 * 4];
        new Random(1).nextBytes(bytes);
        byte[] result = new byte[16 * 2];
        Reduction.of(complex, Reducer.NEAREST, MissingValues.NONE, new int[] {2})
                .reduce(elements(complex, bytes), new long[] {4}, elements(complex, result));
        assertTrue(Arrays.equals(bytes, 32, 48, result, 16, 32));
        assertThrows(
                IllegalArgumentException.class,
                () -> Reduction.of(complex, Reducer.MEAN, MissingValues.NONE, new int[] {2}));
        assertThrows(
                IllegalArgumentException.class,
                () -> Reduction.of(type("string"), Reducer.NEAREST, MissingValues.NONE, new int[] {2}));
    }
}
