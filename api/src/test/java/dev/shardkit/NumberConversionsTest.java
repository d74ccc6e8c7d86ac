package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Elements converted from every number type to every other, beside decimal arithmetic. */
class NumberConversionsTest {
    private static final NumberCast CLAMP = new NumberCast(RoundingMode.HALF_EVEN, NumberCast.Range.CLAMP);

    static List<DataType> numbers() {
        return CoreTypes.all().stream()
                .filter(t -> t.number().isPresent() && !t.name().startsWith("complex"))
                .toList();
    }

    static Stream<List<DataType>> pairs() {
        return numbers().stream().flatMap(a -> numbers().stream().map(b -> List.of(a, b)));
    }

    private static NdArray one(DataType type, Object array) {
        return NdArray.of(type, new long[] {Array.getLength(array)}, array);
    }

    /** Random words: small ones, large ones, edges. */
    private static Object words(DataType type, int n, Random random) {
        Object array = JavaArrayAdapters.allocate(type, new long[] {n});
        for (int i = 0; i < n; i++) {
            double scale = Math.scalb(random.nextDouble() * 2 - 1, random.nextInt(70));
            switch (type.carrier()) {
                case BYTE -> ((byte[]) array)[i] = (byte) random.nextInt();
                case SHORT -> ((short[]) array)[i] = (short) (random.nextInt() >> random.nextInt(16));
                case INT -> ((int[]) array)[i] = random.nextInt() >> random.nextInt(32);
                case LONG -> ((long[]) array)[i] = random.nextLong() >> random.nextInt(64);
                case FLOAT -> ((float[]) array)[i] = (float) (random.nextBoolean() ? Math.rint(scale) : scale);
                case DOUBLE -> ((double[]) array)[i] = random.nextBoolean() ? Math.rint(scale) : scale;
                default -> throw new AssertionError(type);
            }
        }
        return array;
    }

    /** The value of an element; empty if it is NaN or infinite. */
    private static Optional<BigDecimal> value(NdArray array, long i) {
        if (array.dataType().number().orElseThrow() instanceof IntegerFormat) {
            return Optional.of(new BigDecimal(array.integerAt(i)));
        }
        double value = array.doubleAt(i);
        return Double.isFinite(value) ? Optional.of(new BigDecimal(value)) : Optional.empty();
    }

    private static boolean has(DataType type, BigDecimal value) {
        if (type.number().orElseThrow() instanceof IntegerFormat f) {
            BigDecimal most = new BigDecimal(new BigInteger(f.text(f.max())));
            return value.stripTrailingZeros().scale() <= 0
                    && value.compareTo(BigDecimal.valueOf(f.min())) >= 0
                    && value.compareTo(most) <= 0;
        }
        FloatingFormat f = (FloatingFormat) type.number().orElseThrow();
        double near = f.round(value.doubleValue());
        return Double.isFinite(near) && new BigDecimal(near).compareTo(value) == 0;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void exactConversions_keepTheValue_orRefuse(List<DataType> pair) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        NdArray from = one(pair.get(0), words(pair.get(0), 200, random));
        for (int i = 0; i < 200; i++) {
            NdArray element = from.slice(Box.of(new long[] {i}, new long[] {1}));
            Optional<BigDecimal> value = value(element, 0);
            String message = "seed " + seed + ", " + value + " of " + pair;
            if (value.isPresent() && has(pair.get(1), value.get())) {
                NdArray converted = element.convert(pair.get(1));
                assertEquals(pair.get(1), converted.dataType(), message);
                assertEquals(0, value.get().compareTo(value(converted, 0).orElseThrow()), message);
            } else if (value.isPresent() && !pair.get(0).equals(pair.get(1))) {
                assertThrows(ArithmeticException.class, () -> element.convert(pair.get(1)), message);
            }
        }
    }

    @Test
    void clampedConversions_giveTheNearestNumber() {
        NdArray numbers = one(CoreTypes.FLOAT64, new double[] {-7, 2.5, 3.5, 254.6, 1e9});
        assertArrayEquals(
                new byte[] {0, 2, 4, (byte) 255, (byte) 255},
                numbers.convert(CoreTypes.UINT8, CLAMP).bytes());
        assertThrows(
                ArithmeticException.class,
                () -> numbers.convert(CoreTypes.UINT8, new NumberCast(RoundingMode.DOWN, NumberCast.Range.REFUSE)));
    }

    @Test
    void refusals_nameTheElement() {
        NdArray numbers = one(CoreTypes.UINT16, new short[] {1, (short) 40000});
        Exception e = assertThrows(ArithmeticException.class, () -> numbers.convert(CoreTypes.INT16));
        assertEquals(
                "element 1: expected a number of uint16 that int16 has, found 40000, which is out of range",
                e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> one(CoreTypes.BOOL, new boolean[1])
                .doubles());
    }

    @Test
    void elements_areGivenAsWiderJavaNumbers() {
        NdArray small = one(CoreTypes.UINT16, new short[] {3, (short) 65535});
        assertArrayEquals(new int[] {3, 65535}, small.ints());
        assertArrayEquals(new long[] {3, 65535}, small.longs());
        assertArrayEquals(new float[] {3, 65535}, small.floats());
        assertArrayEquals(new double[] {3, 65535}, small.doubles());
    }

    @Test
    void reads_convertIntoTheCallersArray() {
        ArraySpec spec = ArraySpec.of("uint16", 5, 7).withChunkShape(2, 3).withFillValue(9);
        try (ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            Box part = Box.of(new long[] {1, 2}, new long[] {2, 4});
            array.write(part, NdArray.of(CoreTypes.FLOAT64, part.shape(), new double[] {1, 2, 3, 4, 5, 6, 7, 65535}));
            float[] room = new float[36];
            array.readInto(room, 1, array.domain());
            short[] stored = array.read().shorts();
            for (int i = 0; i < 35; i++) {
                assertEquals(stored[i] & 0xffff, room[i + 1]);
            }
            assertEquals(9, room[1]);
            assertEquals(
                    65535, array.read(part, CoreTypes.FLOAT64, NumberCast.EXACT).doubles()[7]);
            assertEquals(127, array.read(part, CoreTypes.INT8, CLAMP).bytes()[7]);
            assertThrows(ArithmeticException.class, () -> array.read(part, CoreTypes.INT16, NumberCast.EXACT));
            assertThrows(
                    ArithmeticException.class,
                    () -> array.write(
                            part,
                            NdArray.of(CoreTypes.FLOAT64, part.shape(), new double[] {0, 0.5, 0, 0, 0, 0, 0, 0})));
            assertEquals(65535, array.read().longAt(2, 5), "the refused write changed nothing");
        }
    }

    @Test
    void reductions_matchPlainLoops() {
        NdArray unsigned = one(CoreTypes.UINT64, new long[] {-1, 1, -1});
        assertEquals(0x1p64, unsigned.max());
        assertEquals(1, unsigned.min());
        assertEquals(new BigInteger("36893488147419103231").doubleValue(), unsigned.sum());
        NdArray reals = one(CoreTypes.FLOAT32, new float[] {1.5f, -2, 4});
        assertEquals(-2, reals.min());
        assertEquals(4, reals.max());
        assertEquals(3.5 / 3, reals.mean());
        assertTrue(
                Double.isNaN(one(CoreTypes.FLOAT32, new float[] {1, Float.NaN}).max()));
    }

    @Test
    void slicesAndTransposes_areCopies() {
        NdArray array = NdArray.of(CoreTypes.INT32, new long[] {2, 3}, new int[] {1, 2, 3, 4, 5, 6});
        assertEquals(
                NdArray.of(CoreTypes.INT32, new long[] {3, 2}, new int[] {1, 4, 2, 5, 3, 6}), array.transpose(1, 0));
        assertEquals(
                NdArray.of(CoreTypes.INT32, new long[] {2, 1}, new int[] {2, 5}),
                array.slice(Box.of(new long[] {0, 1}, new long[] {2, 1})));
        assertThrows(IllegalArgumentException.class, () -> array.transpose(0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> array.slice(Box.of(new long[] {1, 0}, new long[] {2, 1})));
    }

    @Test
    void text_showsElementsAsNumpyDoes() {
        NdArray small = NdArray.of(CoreTypes.UINT8, new long[] {2, 3}, new byte[] {1, 20, (byte) 255, 4, 5, 6});
        assertEquals("uint8[2, 3]\n[[  1  20 255]\n [  4   5   6]]", small.toString());
        NdArray large = NdArray.of(CoreTypes.INT16, new long[] {2, 1000}, new short[2000]);
        assertEquals("int16[2, 1000]\n[[0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]]", large.toString());
        assertEquals(
                "string[1]\n['a']", one(CoreTypes.STRING, new String[] {"a"}).toString());
        assertEquals(
                "bool[] true",
                NdArray.of(CoreTypes.BOOL, new long[0], new boolean[] {true}).toString());
        assertEquals(
                "complex64[1]\n[1.0-2.0j]",
                NdArray.of(CoreTypes.COMPLEX64, new long[] {1}, new float[] {1, -2})
                        .toString());
    }
}
