package dev.shardkit.type;

import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.DataTypeContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

/** The contract, of each type. */
class ExtensionTypesTest {
    private abstract static class Contract extends DataTypeContract {
        private final DataType type;
        private final DataTypeFactory factory;
        private final List<Json> fills;
        private final List<Json> illegal;

        Contract(DataType type, DataTypeFactory factory, List<Json> fills, List<Json> illegal) {
            this.type = type;
            this.factory = factory;
            this.fills = fills;
            this.illegal = illegal;
        }

        @Override
        protected DataType type() {
            return type;
        }

        @Override
        protected DataTypeFactory factory() {
            return factory;
        }

        @Override
        protected List<Json> fills() {
            return fills;
        }

        @Override
        protected List<Json> illegalFills() {
            return illegal;
        }
    }

    private static List<Json> numbers(String... lexemes) {
        return Stream.of(lexemes).<Json>map(Json.Num::new).toList();
    }

    private static List<Json> texts(String... texts) {
        return Stream.of(texts).map(Json::of).toList();
    }

    private static List<Json> both(List<Json> some, List<Json> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private abstract static class Small extends Contract {
        Small(DataType type, DataTypeFactory factory, List<Json> fills, String... illegal) {
            super(
                    type,
                    factory,
                    fills,
                    both(
                            numbers(illegal),
                            List.of(
                                    new Json.Num("1.0"),
                                    new Json.Num("1e0"),
                                    new Json.Num("10000000000000000000000"),
                                    Json.of("1"),
                                    Json.of(true),
                                    new Json.Null())));
        }
    }

    @Nested
    class Int2 extends Small {
        Int2() {
            super(ExtensionTypes.INT2, new TypeFactories.Int2(), numbers("-2", "-1", "0", "1"), "2", "-3");
        }

        @Override
        protected List<byte[]> illegalElements() {
            return List.of(new byte[] {2}, new byte[] {-3}, new byte[] {127});
        }
    }

    @Nested
    class Int4 extends Small {
        Int4() {
            super(ExtensionTypes.INT4, new TypeFactories.Int4(), numbers("-8", "-3", "0", "-0", "7"), "8", "-9", "100");
        }

        @Override
        protected List<byte[]> illegalElements() {
            return List.of(new byte[] {8}, new byte[] {-9});
        }
    }

    @Nested
    class Uint2 extends Small {
        Uint2() {
            super(ExtensionTypes.UINT2, new TypeFactories.Uint2(), numbers("0", "1", "3"), "4", "-1");
        }

        @Override
        protected List<byte[]> illegalElements() {
            return List.of(new byte[] {4}, new byte[] {-1});
        }
    }

    @Nested
    class Uint4 extends Small {
        Uint4() {
            super(ExtensionTypes.UINT4, new TypeFactories.Uint4(), numbers("0", "9", "15"), "16", "-1");
        }

        @Override
        protected List<byte[]> illegalElements() {
            return List.of(new byte[] {16}, new byte[] {-128});
        }
    }

    private static final List<Json> IEEE = texts("NaN", "Infinity", "-Infinity");

    @Nested
    class Bfloat16 extends Contract {
        Bfloat16() {
            super(
                    ExtensionTypes.BFLOAT16,
                    new TypeFactories.Bfloat16(),
                    both(
                            IEEE,
                            both(
                                    texts("0x7fc0", "0x7fc1", "0xff80", "0x0001"),
                                    numbers("0", "-0.0", "1.5", "0.1", "1e38", "1e40", "-3.3e-39", "257"))),
                    both(
                            texts("nan", "+Infinity", "0x7f", "0x7fc00", "7fc0", "1.5"),
                            List.of(new Json.Null(), Json.of(true))));
        }
    }

    private abstract static class Eight extends Contract {
        Eight(DataType type, DataTypeFactory factory) {
            super(
                    type,
                    factory,
                    both(IEEE, both(texts("0x80", "0x01"), numbers("0", "-1.5", "0.3", "1e9", "-0.0"))),
                    both(texts("0x7fc0", "0x1", "inf"), List.of(new Json.Null())));
        }
    }

    @Nested
    class Float8E3m4 extends Eight {
        Float8E3m4() {
            super(ExtensionTypes.FLOAT8_E3M4, new TypeFactories.Float8E3m4());
        }
    }

    @Nested
    class Float8E4m3 extends Eight {
        Float8E4m3() {
            super(ExtensionTypes.FLOAT8_E4M3, new TypeFactories.Float8E4m3());
        }
    }

    @Nested
    class Float8E5m2 extends Eight {
        Float8E5m2() {
            super(ExtensionTypes.FLOAT8_E5M2, new TypeFactories.Float8E5m2());
        }
    }

    private abstract static class Finite extends Contract {
        Finite(DataType type, DataTypeFactory factory, List<Json> fills) {
            super(
                    type,
                    factory,
                    both(fills, numbers("0", "1.5", "-1")),
                    both(
                            numbers("1e9", "-1e9"),
                            both(texts("Infinity", "-Infinity", "0x1", "0x123"), List.of(new Json.Null()))));
        }
    }

    @Nested
    class Float8E4m3Fnuz extends Finite {
        Float8E4m3Fnuz() {
            super(ExtensionTypes.FLOAT8_E4M3FNUZ, new TypeFactories.Float8E4m3Fnuz(), texts("NaN", "0x80", "0x7f"));
        }
    }

    @Nested
    class Float8E4m3B11Fnuz extends Finite {
        Float8E4m3B11Fnuz() {
            super(
                    ExtensionTypes.FLOAT8_E4M3B11FNUZ,
                    new TypeFactories.Float8E4m3B11Fnuz(),
                    texts("NaN", "0x80", "0xff"));
        }
    }

    @Nested
    class Float8E5m2Fnuz extends Finite {
        Float8E5m2Fnuz() {
            super(ExtensionTypes.FLOAT8_E5M2FNUZ, new TypeFactories.Float8E5m2Fnuz(), texts("NaN", "0x80"));
        }
    }

    @Nested
    class Float8E8m0Fnu extends Contract {
        Float8E8m0Fnu() {
            super(
                    ExtensionTypes.FLOAT8_E8M0FNU,
                    new TypeFactories.Float8E8m0Fnu(),
                    both(texts("NaN", "0xff", "0x00", "0xfe"), numbers("1", "0.5", "3", "1e38", "1e-40")),
                    both(numbers("0", "-0.0", "-1", "1e39"), texts("Infinity", "-Infinity", "0x1")));
        }
    }

    private abstract static class Tiny extends Finite {
        Tiny(DataType type, DataTypeFactory factory, String top) {
            super(type, factory, texts(top));
        }

        @Override
        protected List<Json> illegalFills() {
            return both(super.illegalFills(), texts("NaN", "0xff"));
        }

        @Override
        protected List<byte[]> illegalElements() {
            return List.of(new byte[] {-1}, new byte[] {64});
        }
    }

    @Nested
    class Float6E2m3 extends Tiny {
        Float6E2m3() {
            super(ExtensionTypes.FLOAT6_E2M3FN, new TypeFactories.Float6E2m3(), "0x3f");
        }
    }

    @Nested
    class Float6E3m2 extends Tiny {
        Float6E3m2() {
            super(ExtensionTypes.FLOAT6_E3M2FN, new TypeFactories.Float6E3m2(), "0x3f");
        }
    }

    @Nested
    class Float4E2m1 extends Tiny {
        Float4E2m1() {
            super(ExtensionTypes.FLOAT4_E2M1FN, new TypeFactories.Float4E2m1(), "0x0f");
        }
    }

    private abstract static class Time extends Contract {
        Time(NumpyTimeType type, DataTypeFactory factory) {
            super(
                    type,
                    factory,
                    both(texts("NaT"), numbers("0", "-1", "-9223372036854775808", "9223372036854775807")),
                    both(
                            numbers("9223372036854775808", "-9223372036854775809", "1.0", "1e3"),
                            both(texts("nat", "NaN", "0"), List.of(new Json.Null(), Json.of(true)))));
        }
    }

    @Nested
    class Datetime64 extends Time {
        Datetime64() {
            super(ExtensionTypes.datetime64(NumpyTimeType.Unit.NANOSECOND), new TypeFactories.Datetime64());
        }
    }

    @Nested
    class Timedelta64 extends Time {
        Timedelta64() {
            super(
                    new NumpyTimeType(NumpyTimeType.Kind.TIMEDELTA64, NumpyTimeType.Unit.MICROSECOND, 10),
                    new TypeFactories.Timedelta64());
        }
    }

    @Nested
    class FixedLengthUtf32 extends Contract {
        FixedLengthUtf32() {
            super(
                    ExtensionTypes.fixedLengthUtf32(3),
                    new TypeFactories.FixedLengthUtf32(),
                    texts("", "a", "abc", "\u00e9\u2713", "\ud83d\ude00\ud83d\ude00\ud83d\ude00", "a\0b"),
                    both(texts("abcd", "\ud83d", "\ude00a"), List.of(new Json.Null(), Json.of(1))));
        }

        @Override
        protected List<byte[]> illegalElements() {
            byte[] past = new byte[12];
            past[2] = 0x11;
            byte[] surrogate = new byte[12];
            surrogate[9] = (byte) 0xd8;
            byte[] negative = new byte[12];
            negative[7] = (byte) 0x80;
            return List.of(past, surrogate, negative);
        }
    }
}
