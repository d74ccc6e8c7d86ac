package dev.shardkit.testkit.extension;

import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

/** The core data types under the contract. */
class CoreTypesTest {
    private static Json n(String lexeme) {
        return new Json.Num(lexeme);
    }

    private static Json s(String value) {
        return Json.of(value);
    }

    private static Json list(Json... items) {
        return new Json.Arr(Arrays.asList(items));
    }

    /** A core type; its factory is looked up. */
    abstract static class Core extends DataTypeContract {
        @Override
        protected DataTypeFactory factory() {
            return LoadedExtensions.all(DataTypeFactory.class).stream()
                    .filter(f -> f.claims(type().name()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Nested
    class Bool extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.BOOL;
        }

        @Override
        protected List<Json> fills() {
            return List.of(Json.of(true), Json.of(false));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(n("2"), n("-1"), n("1.0"), s("true"), new Json.Null(), list());
        }

        @Override
        protected List<byte[]> illegalElements() {
            return List.of(new byte[] {2}, new byte[] {-1});
        }
    }

    @Nested
    class Int8 extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.INT8;
        }

        @Override
        protected List<Json> fills() {
            return List.of(n("0"), n("-0"), n("-128"), n("127"));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(n("128"), n("-129"), n("1.0"), n("1e1"), s("1"), Json.of(true), new Json.Null());
        }
    }

    @Nested
    class Uint64 extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.UINT64;
        }

        @Override
        protected List<Json> fills() {
            return List.of(n("0"), n("18446744073709551615"), n("9007199254740993"));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(n("-1"), n("18446744073709551616"), n("1.5"));
        }
    }

    @Nested
    class Float16 extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.FLOAT16;
        }

        @Override
        protected List<Json> fills() {
            return List.of(
                    n("0"), n("-0.0"), n("65504"), n("0.1"), s("NaN"), s("Infinity"), s("-Infinity"), s("0x7e55"));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(s("nan"), s("0x7e5"), s("0x7e555"), Json.of(true), list());
        }
    }

    @Nested
    class Float64 extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.FLOAT64;
        }

        @Override
        protected List<Json> fills() {
            return List.of(
                    n("0"),
                    n("-0.0"),
                    n("1e400"),
                    n("4.9e-324"),
                    n("0.1"),
                    s("NaN"),
                    s("Infinity"),
                    s("-Infinity"),
                    s("0x7ff8000000000001"),
                    s("0xfff0000000000001"));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(s("1.0"), s("0x00"), new Json.Null());
        }
    }

    @Nested
    class Complex64 extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.COMPLEX64;
        }

        @Override
        protected List<Json> fills() {
            return List.of(list(n("0"), n("-0.0")), list(s("NaN"), s("-Infinity")), list(s("0x7fc00001"), n("1.5")));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(n("0"), list(n("0")), list(n("0"), n("1"), n("2")), list(s("i"), n("0")));
        }
    }

    @Nested
    class Raw24 extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.rawBits(24);
        }

        @Override
        protected List<Json> fills() {
            return List.of(list(n("0"), n("255"), n("7")));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(list(n("0"), n("1")), list(n("0"), n("1"), n("256")), list(n("0"), n("1"), n("-1")), n("0"));
        }
    }

    @Nested
    class Text extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.STRING;
        }

        @Override
        protected List<Json> fills() {
            return List.of(s(""), s("a"), s("\u00e4\ud83d\ude00\u0000"));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(n("0"), new Json.Null(), list(), s("\ud800"));
        }

        @Override
        protected List<byte[]> illegalElements() {
            return Stream.of("ff", "c080", "eda080", "f4908080", "e282")
                    .map(HexFormat.of()::parseHex)
                    .toList();
        }
    }

    @Nested
    class Bytes extends Core {
        @Override
        protected DataType type() {
            return CoreTypes.BYTES;
        }

        @Override
        protected List<Json> fills() {
            return List.of(list(), list(n("0"), n("255")), s("AAH/"), s(""));
        }

        @Override
        protected List<Json> illegalFills() {
            return List.of(n("0"), list(n("256")), list(s("a")), s("A"), s("\u00e4\u00e4\u00e4\u00e4"));
        }
    }
}
