package dev.shardkit.spi.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random fill values come back from their JSON form, and floats are rounded as IEEE 754 says. */
class RandomFillValuesTest {
    private static final double[] SPECIAL = {
        0, -0.0, 1, -1, 0.1, Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE, 1L << 53, 1e21, 1e-7
    };

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    static Stream<DataType> sized() {
        return Stream.of(
                        CoreTypes.all().stream().filter(t -> t.elementSize().isPresent() && !t.equals(CoreTypes.BOOL)),
                        LongStream.of(8, 24, 128).mapToObj(CoreTypes::rawBits),
                        LongStream.of(1, 5).mapToObj(CoreTypes::rawBytes))
                .flatMap(types -> types);
    }

    private void comesBack(DataType type, byte[] bits) {
        FillValue value = FillValue.of(bits);
        assertEquals(value, type.parseFill(type.formatFill(value)), () -> "seed " + seed);
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("sized")
    void anyBits_comeBackFromTheirJsonForm(DataType type) {
        int size = type.elementSize().getAsInt();
        byte[] ones = new byte[size];
        Arrays.fill(ones, (byte) -1);
        comesBack(type, new byte[size]);
        comesBack(type, ones);
        for (int i = 0; i < 2_000; i++) {
            comesBack(type, bytes(size));
        }
    }

    @Test
    void stringsAndByteStrings_comeBackFromTheirJsonForm() {
        for (int i = 0; i < 1_000; i++) {
            String text = random.ints(random.nextInt(21), 'A', 'z' + 1)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            comesBack(CoreTypes.STRING, text.getBytes(StandardCharsets.UTF_8));
            comesBack(CoreTypes.BYTES, bytes(random.nextInt(21)));
        }
    }

    private static String text(DataType type, String number) {
        return type.formatFill(type.parseFill(new Json.Num(number))).toString();
    }

    /** Returns the number of significant decimal digits. */
    private static int digits(String text) {
        return text.split("[eE]")[0]
                .replaceAll("[^0-9]", "")
                .replaceAll("^0+|0+$", "")
                .length();
    }

    @Test
    void textOfAFloat_isNoLongerThanJavas_andReadsBack() {
        Stream.concat(
                        DoubleStream.of(SPECIAL).mapToObj(x -> (float) x),
                        Stream.generate(() -> Float.intBitsToFloat(random.nextInt()))
                                .limit(5_000))
                .filter(Float::isFinite)
                .forEach(x -> {
                    String text = text(CoreTypes.FLOAT32, x.toString());
                    assertEquals(x, (float) Double.parseDouble(text));
                    assertTrue(digits(text) <= digits(x.toString()), () -> text + " for " + x);
                });
        DoubleStream.concat(
                        DoubleStream.of(SPECIAL),
                        DoubleStream.generate(() -> Double.longBitsToDouble(random.nextLong()))
                                .limit(5_000))
                .filter(Double::isFinite)
                .forEach(x -> {
                    String text = text(CoreTypes.FLOAT64, Double.toString(x));
                    assertEquals(x, Double.parseDouble(text));
                    assertTrue(digits(text) <= digits(Double.toString(x)), () -> text + " for " + x);
                });
    }

    @Test
    void roundingToBinary16_goesToTheNearest_tiesToEven() {
        double[] values = IntStream.rangeClosed(0, 0x7c00)
                .mapToDouble(i -> i == 0x7c00 ? 65536.0 : Float16.toFloat((short) i))
                .toArray();
        DoubleStream ties = IntStream.range(0, 1_000).mapToDouble(i -> {
            int below = random.nextInt(0x7c00);
            return (values[below] + values[below + 1]) / 2;
        });
        DoubleStream others = IntStream.range(0, 5_000)
                .mapToDouble(i -> Math.scalb(65536 * random.nextDouble(), random.nextInt(27) - 26));
        DoubleStream.concat(
                        DoubleStream.of(0, Double.MIN_VALUE, 65519, 65520, 65536), DoubleStream.concat(ties, others))
                .forEach(v -> {
                    int found = Arrays.binarySearch(values, v);
                    int below = found >= 0 ? found : -found - 2;
                    int above = Math.min(below + 1, 0x7c00);
                    double toBelow = v - values[below];
                    double toAbove = values[above] - v;
                    int nearest = toBelow < toAbove ? below : toAbove < toBelow ? above : below + (below & 1);
                    assertEquals(nearest, Float16.ofDouble(v), () -> "of " + v);
                    assertEquals(nearest | 0x8000, Float16.ofDouble(-v) & 0xffff, () -> "of -" + v);
                });
    }
}
