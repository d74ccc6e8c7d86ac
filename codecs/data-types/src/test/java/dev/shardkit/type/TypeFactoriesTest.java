package dev.shardkit.type;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.FactoryContract;
import dev.shardkit.testkit.extension.LoadedExtensions;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TypeFactoriesTest {
    private static final LoadedExtensions EXTENSIONS = new LoadedExtensions();

    private static DataType type(String name, Json.Obj configuration) {
        return EXTENSIONS.dataType(Json.object().with("name", Json.of(name)).with("configuration", configuration), "");
    }

    private static Json.Obj time(Json unit, Json scale) {
        return Json.object().with("unit", unit).with("scale_factor", scale);
    }

    private static Json.Obj time(String unit, long scale) {
        return time(Json.of(unit), Json.of(scale));
    }

    private abstract static class TypeFactoryContract extends FactoryContract<DataTypeFactory> {
        TypeFactoryContract() {
            super(DataTypeFactory.class);
        }

        @Override
        protected Object create(DataTypeFactory factory, Config config) {
            return factory.create(factory.name(), config);
        }
    }

    @Nested
    class Datetime64 extends TypeFactoryContract {
        @Override
        protected DataTypeFactory factory() {
            return new TypeFactories.Datetime64();
        }

        @Override
        protected List<Json.Obj> legal() {
            return Stream.of(
                            "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "\u03bcs", "ns", "ps", "fs", "as", "generic")
                    .flatMap(u -> Stream.of(time(u, 1), time(u, Integer.MAX_VALUE)))
                    .toList();
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    time("y", 1),
                    time("seconds", 1),
                    time("", 1),
                    time("s", 0),
                    time("s", -1),
                    time("s", 1L << 31),
                    time(Json.of(1), Json.of(1)),
                    time(Json.of("s"), Json.of("1")),
                    time(Json.of("s"), new Json.Num("1.0")),
                    Json.object().with("unit", Json.of("s")),
                    Json.object().with("scale_factor", Json.of(1)));
        }
    }

    @Nested
    class FixedLengthUtf32 extends TypeFactoryContract {
        @Override
        protected DataTypeFactory factory() {
            return new TypeFactories.FixedLengthUtf32();
        }

        private static Json.Obj length(Json length) {
            return Json.object().with("length_bytes", length);
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(length(Json.of(4)), length(Json.of(48)), length(Json.of(1 << 30)));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    length(Json.of(0)),
                    length(Json.of(3)),
                    length(Json.of(-4)),
                    length(Json.of(10)),
                    length(Json.of(1L << 32)),
                    length(Json.of("4")),
                    length(new Json.Num("4.0")));
        }
    }

    @Test
    void microseconds_haveTwoSymbolsAndAreWrittenAsOne() {
        DataType greek = type("numpy.timedelta64", time("\u03bcs", 1));
        assertEquals(type("numpy.timedelta64", time("us", 1)), greek);
        assertEquals(
                "{\"unit\":\"us\",\"scale_factor\":1}", greek.configuration().toString());
        assertNotEquals(type("numpy.datetime64", time("us", 1)), greek);
        assertEquals(
                "numpy.datetime64[10s]", type("numpy.datetime64", time("s", 10)).toString());
    }

    @Test
    void notATime_hasTwoForms() {
        DataType type = ExtensionTypes.datetime64(NumpyTimeType.Unit.DAY);
        assertEquals(type.parseFill(Json.of("NaT")), type.parseFill(Json.of(NumpyTimeType.NOT_A_TIME)));
        assertArrayEquals(
                new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) 0x80},
                type.parseFill(Json.of("NaT")).bytes());
        assertEquals(
                "\"NaT\"",
                type.formatFill(type.parseFill(Json.of(Long.MIN_VALUE))).toString());
    }

    @Test
    void plainTypes_areFoundByName() {
        assertEquals(15, ExtensionTypes.plain().size());
        for (DataType type : ExtensionTypes.plain()) {
            assertSame(type, EXTENSIONS.dataType(Json.of(type.name()), ""));
            assertThrows(MetadataException.class, () -> type(type.name(), time("s", 1)), type.name());
        }
        assertThrows(MetadataException.class, () -> ExtensionTypes.fixedLengthUtf32(0));
        assertThrows(MetadataException.class, () -> ExtensionTypes.fixedLengthUtf32(1L << 40));
    }

    private static byte[] canonical(DataType type, int... stored) {
        ByteBuffer bytes = ByteBuffer.allocate(stored.length);
        for (int b : stored) {
            bytes.put((byte) b);
        }
        Elements.Fixed before = Elements.Fixed.of(type, bytes.flip().asReadOnlyBuffer(), ByteOrder.LITTLE_ENDIAN);
        Elements.Fixed after = (Elements.Fixed) type.canonical(before);
        type.check(after);
        byte[] out = new byte[stored.length];
        after.bytes().get(0, out);
        return out;
    }

    @Test
    void upperBits_areIgnored() {
        assertArrayEquals(new byte[] {-8, 7, -1, 6, 6}, canonical(ExtensionTypes.INT4, 0x08, 0xf7, 0x5f, 0xf6, 6));
        assertArrayEquals(new byte[] {-2, 1, -1, 0}, canonical(ExtensionTypes.INT2, 0x02, 0xfd, 0x5f, 0xfc));
        assertArrayEquals(new byte[] {8, 15, 0}, canonical(ExtensionTypes.UINT4, 0xf8, 0x0f, 0xf0));
        assertArrayEquals(new byte[] {2, 3, 0}, canonical(ExtensionTypes.UINT2, 0xfe, 0x03, 0xf0));
        assertArrayEquals(new byte[] {0x3f, 1}, canonical(ExtensionTypes.FLOAT6_E3M2FN, 0xff, 0x41));
        Elements same =
                Elements.Fixed.of(ExtensionTypes.INT4, ByteBuffer.wrap(new byte[] {1, -1}), ByteOrder.BIG_ENDIAN);
        assertSame(same, ExtensionTypes.INT4.canonical(same));
    }

    /** Values from the tables of the formats (OCP MX, ml_dtypes). */
    @Test
    void smallFloats_areWhatTheirTablesSay() {
        check(ExtensionTypes.FLOAT8_E4M3, 240, 0x77, 0x1p-9);
        check(ExtensionTypes.FLOAT8_E5M2, 57344, 0x7b, 0x1p-16);
        check(ExtensionTypes.FLOAT8_E3M4, 15.5, 0x6f, 0x1p-6);
        check(ExtensionTypes.FLOAT8_E4M3FNUZ, 240, 0x7f, 0x1p-10);
        check(ExtensionTypes.FLOAT8_E4M3B11FNUZ, 30, 0x7f, 0x1p-13);
        check(ExtensionTypes.FLOAT8_E5M2FNUZ, 57344, 0x7f, 0x1p-17);
        check(ExtensionTypes.FLOAT8_E8M0FNU, 0x1p127, 0xfe, 0x1p-126);
        check(ExtensionTypes.FLOAT6_E2M3FN, 7.5, 0x1f, 0.125);
        check(ExtensionTypes.FLOAT6_E3M2FN, 28, 0x1f, 0.0625);
        check(ExtensionTypes.FLOAT4_E2M1FN, 6, 0x07, 0.5);
        check(ExtensionTypes.BFLOAT16, 0x1.fep127, 0x7f7f, 0x1p-133);
    }

    private static void check(DataType type, double largest, int largestBits, double least) {
        FloatingFormat format = (FloatingFormat) type.number().orElseThrow();
        assertEquals(largest, format.max(), type.name());
        assertEquals(largest, format.value(largestBits), type.name());
        assertEquals(largestBits, format.bitsOf(largest), type.name());
        assertEquals(least, format.value(1), type.name());
        for (int bits = 0; bits < 1 << format.bits(); bits++) {
            double value = format.value(bits);
            if (!Double.isNaN(value)) {
                assertEquals(bits, format.bitsOf(value), type.name() + " " + value);
                assertEquals(value, format.round(value), type.name());
                assertTrue(Math.abs(value) <= largest || Double.isInfinite(value) && format.hasInfinity(), type.name());
            }
        }
        assertTrue(!format.hasNan() || Double.isNaN(format.value(format.quietNan())), type.name());
    }

    /** As ml_dtypes rounds them. */
    @Test
    void powersOfTwo_haveNeitherZeroNorSign() {
        FloatingFormat format =
                (FloatingFormat) ExtensionTypes.FLOAT8_E8M0FNU.number().orElseThrow();
        assertEquals(0x1p-127, format.value(0));
        assertEquals(0xff, format.quietNan());
        double[] from = {1, 1.4, 1.5, 3, 6, 0x1p-129, 0x1.7p127, 0x1.8p127, 0, -0.0, -1, Double.POSITIVE_INFINITY};
        double[] to = {1, 1, 2, 4, 8, 0x1p-127, 0x1p127, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN};
        for (int i = 0; i < from.length; i++) {
            assertEquals(to[i], format.round(from[i]), "" + from[i]);
        }
        NumberCast clamp = new NumberCast(RoundingMode.HALF_EVEN, NumberCast.Range.CLAMP);
        assertEquals(0x1p-127, clamp.toFloating(format, -5));
        assertEquals(0x1p127, clamp.toFloating(format, 1e300));
        NumberCast refuse = new NumberCast(RoundingMode.HALF_EVEN, NumberCast.Range.REFUSE);
        assertThrows(ArithmeticException.class, () -> refuse.toFloating(format, 0));
        assertThrows(ArithmeticException.class, () -> refuse.toFloating(format, -1));
        assertThrows(IllegalArgumentException.class, () -> format.bitsOf(0));
        assertThrows(IllegalArgumentException.class, () -> format.bitsOf(3));
    }

    @Test
    void nan_isWrittenAsTheSpecificationSays() {
        assertArrayEquals(
                new byte[] {(byte) 0xc0, 0x7f},
                ExtensionTypes.BFLOAT16.parseFill(Json.of("NaN")).bytes());
        assertArrayEquals(
                new byte[] {0x7c},
                ExtensionTypes.FLOAT8_E4M3.parseFill(Json.of("NaN")).bytes());
        assertArrayEquals(
                new byte[] {0x7e},
                ExtensionTypes.FLOAT8_E5M2.parseFill(Json.of("NaN")).bytes());
        assertArrayEquals(
                new byte[] {(byte) 0x80},
                ExtensionTypes.FLOAT8_E5M2FNUZ.parseFill(Json.of("NaN")).bytes());
    }
}
