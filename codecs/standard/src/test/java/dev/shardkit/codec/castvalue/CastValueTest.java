package dev.shardkit.codec.castvalue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.codec.Numbered;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.extension.ArrayToArrayCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.type.ExtensionTypes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class CastValueTest {
    private static final double INF = Double.POSITIVE_INFINITY;

    private static ArrayToArrayCodec to(String type, Object... more) {
        List<Object> members = new ArrayList<>(List.of("data_type", type));
        members.addAll(List.of(more));
        return Numbered.codec("cast_value", members.toArray());
    }

    private static ChunkType of(DataType type) {
        return Numbered.type(type, "0");
    }

    @Nested
    class Chunks extends ArrayToArrayCodecContract {
        @Override
        protected List<ChunkCase<ArrayToArrayCodec>> cases() {
            List<ChunkCase<ArrayToArrayCodec>> cases = new ArrayList<>();
            for (ChunkType type : Numbered.types()) {
                for (String target : List.of("uint8", "float32", "int64", "uint4", "float16")) {
                    boolean fits = !type.dataType().equals(ExtensionTypes.BFLOAT16) || target.startsWith("float");
                    if (fits) {
                        cases.add(new ChunkCase<>(to(target), type));
                    }
                }
            }
            return cases;
        }

        @Override
        protected DenseChunk sample(ChunkType type) {
            return Numbered.small(type, type.dataType().equals(ExtensionTypes.UINT2) ? 3 : 7);
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new CastValueCodecFactory();
        }

        private static Json.Obj uint8(Object... more) {
            List<Object> members = new ArrayList<>(List.of("data_type", "uint8"));
            members.addAll(List.of(more));
            return Numbered.object(members.toArray());
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    uint8(),
                    uint8("rounding", "towards-zero", "out_of_range", "wrap"),
                    uint8("scalar_map", Json.object()),
                    Numbered.object("data_type", Numbered.object("name", "float32")),
                    uint8("scalar_map", Numbered.object("encode", List.of(List.of("NaN", 0)), "decode", List.of())));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    uint8("rounding", "up"),
                    uint8("out_of_range", "none"),
                    uint8("rounding", new Json.Null()),
                    uint8("scalar_map", List.of()),
                    uint8("scalar_map", Numbered.object("other", List.of())),
                    uint8("scalar_map", Numbered.object("encode", List.of(1))),
                    uint8("scalar_map", Numbered.object("encode", List.of(List.of(1, 2, 3)))),
                    Numbered.object("data_type", "float32", "out_of_range", "wrap"),
                    Numbered.object("data_type", "string"),
                    Numbered.object("data_type", "bool"),
                    Numbered.object("data_type", "complex64"));
        }
    }

    /** The examples of the specification. */
    @Test
    void outOfRange_isRefusedClampedOrWrapped() {
        ChunkType doubles = of(CoreTypes.FLOAT64);
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Numbered.encode(to("int8"), doubles, 128));
        assertTrue(e.getMessage().contains("128.0") && e.getMessage().contains("int8"), e.getMessage());
        assertArrayEquals(
                new double[] {127, -128}, Numbered.encode(to("int8", "out_of_range", "clamp"), doubles, 128, -1e300));
        assertArrayEquals(
                new double[] {-128, 127}, Numbered.encode(to("int8", "out_of_range", "wrap"), doubles, 128, -129));
        assertArrayEquals(
                new double[] {-32768, -32767, 32767},
                Numbered.encode(to("int16", "out_of_range", "wrap"), of(CoreTypes.INT32), 32768, 32769, -32769));
        assertArrayEquals(
                new double[] {44, 255, 0, 0},
                Numbered.encode(to("uint8", "out_of_range", "wrap"), doubles, 300, -1, 1e20, 0x1p80));
        assertArrayEquals(
                new double[] {INF, -INF},
                Numbered.encode(to("float32", "out_of_range", "clamp"), doubles, 1e39, -1e300));
        assertArrayEquals(
                new double[] {28, -28},
                Numbered.encode(to("float6_e3m2fn", "out_of_range", "clamp"), doubles, 29, -1e300));
        assertThrows(IllegalArgumentException.class, () -> Numbered.encode(to("float32"), doubles, 1e39));
        assertArrayEquals(
                new double[] {Float.MAX_VALUE},
                Numbered.encode(to("float32", "rounding", "towards-zero"), doubles, Float.MAX_VALUE * 1.00000001));
    }

    @Test
    void rounding_goesFiveWays() {
        double[] in = {2.5, 3.5, -2.5, 0.3, -0.3};
        ChunkType doubles = of(CoreTypes.FLOAT64);
        assertArrayEquals(new double[] {2, 4, -2, 0, 0}, Numbered.encode(to("int8"), doubles, in));
        assertArrayEquals(
                new double[] {3, 4, -3, 0, 0}, Numbered.encode(to("int8", "rounding", "nearest-away"), doubles, in));
        assertArrayEquals(
                new double[] {2, 3, -2, 0, 0}, Numbered.encode(to("int8", "rounding", "towards-zero"), doubles, in));
        assertArrayEquals(
                new double[] {3, 4, -2, 1, 0},
                Numbered.encode(to("int8", "rounding", "towards-positive"), doubles, in));
        assertArrayEquals(
                new double[] {2, 3, -3, 0, -1},
                Numbered.encode(to("int8", "rounding", "towards-negative"), doubles, in));
        ChunkType longs = of(CoreTypes.INT64);
        double next = 0x1p53 + 2;
        long odd = (1L << 53) + 1;
        assertEquals(0x1p53, cast(CoreTypes.INT64, "float64", "nearest-even", odd));
        assertEquals(next, cast(CoreTypes.INT64, "float64", "nearest-away", odd));
        assertEquals(next, cast(CoreTypes.INT64, "float64", "towards-positive", odd));
        assertEquals(-0x1p53, cast(CoreTypes.INT64, "float64", "towards-positive", -odd));
        assertEquals(-next, cast(CoreTypes.INT64, "float64", "towards-negative", -odd));
        assertEquals(0x1p64, cast(CoreTypes.UINT64, "float32", "nearest-even", -1L));
        assertArrayEquals(new double[] {0x1p60}, Numbered.encode(to("float32"), longs, 0x1p60));
    }

    private static double cast(DataType from, String to, String rounding, long value) {
        ChunkType type = Codecs.type(from, 1);
        DenseChunk chunk = DenseChunk.filled(type);
        ((dev.shardkit.spi.array.Elements.Fixed) chunk.elements()).bytes().putLong(0, value);
        var stage = to(to, "rounding", rounding).bind(type);
        return Numbered.values(stage.encode(chunk), stage.encoded())[0];
    }

    @Test
    void nanInfinityAndZeros_areKeptOrRefused() {
        ChunkType doubles = of(CoreTypes.FLOAT64);
        double[] special = {Double.NaN, INF, -INF, -0.0};
        assertArrayEquals(special, Numbered.encode(to("float16"), doubles, special));
        for (double bad : new double[] {Double.NaN, INF, -INF}) {
            for (String range : List.of("clamp", "wrap")) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Numbered.encode(to("uint8", "out_of_range", range), doubles, bad));
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Numbered.encode(to("float8_e4m3fnuz"), doubles, INF));
        assertArrayEquals(new double[] {Double.NaN}, Numbered.encode(to("float8_e4m3fnuz"), doubles, Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> Numbered.encode(to("float4_e2m1fn"), doubles, Double.NaN));
    }

    /** The specification's example for NumPy, "+Infinity" as it stands there. */
    @Test
    void scalarMap_goesFirst() {
        ArrayToArrayCodec numpy = to(
                "uint8",
                "rounding",
                "towards-zero",
                "out_of_range",
                "wrap",
                "scalar_map",
                Numbered.object(
                        "encode",
                        List.of(
                                List.of("NaN", 0),
                                List.of("+Infinity", 0),
                                List.of("-Infinity", 0),
                                List.of(3, 9),
                                List.of(3, 8),
                                List.of(0, 7))));
        assertArrayEquals(
                new double[] {0, 0, 0, 9, 255, 7, 7, 3},
                Numbered.encode(
                        numpy, Numbered.type(CoreTypes.FLOAT64, "1"), Double.NaN, INF, -INF, 3, -1.5, 0.0, -0.0, 3.5));
        ArrayToArrayCodec missing = to(
                "uint8",
                "scalar_map",
                Numbered.object("encode", List.of(List.of("NaN", 0)), "decode", List.of(List.of(0, "NaN"))));
        ChunkType nan = ChunkType.of(CoreTypes.FLOAT64, CoreTypes.FLOAT64.parseFill(Json.of("NaN")), new long[] {1});
        assertArrayEquals(new double[] {0, 7}, Numbered.encode(missing, nan, Double.NaN, 7));
        assertArrayEquals(new double[] {Double.NaN, 7}, Numbered.decode(missing, nan, 0, 7));
        assertTrue(missing.bind(nan).encoded().fill().isZero());
        for (Json bad : List.of(
                Numbered.object("encode", List.of(List.of("x", 0))),
                Numbered.object("encode", List.of(List.of(0, 256))),
                Numbered.object("decode", List.of(List.of("NaN", 0))))) {
            MetadataException e = assertThrows(MetadataException.class, () -> to("uint8", "scalar_map", bad)
                    .bind(Numbered.type(CoreTypes.FLOAT64, "1", 2)));
            assertTrue(e.getMessage().contains("scalar_map"), e.getMessage());
        }
    }

    @Test
    void fillValue_mustComeBack() {
        for (String fill : List.of("0.5", "256", "-1")) {
            MetadataException e = assertThrows(
                    MetadataException.class, () -> to("uint8").bind(Numbered.type(CoreTypes.FLOAT32, fill, 4)), fill);
            assertTrue(e.getMessage().contains("fill value"), e.getMessage());
        }
        assertThrows(MetadataException.class, () -> to("uint8", "out_of_range", "clamp")
                .bind(Numbered.type(CoreTypes.FLOAT32, "256", 4)));
        to("uint8").bind(Numbered.type(CoreTypes.FLOAT32, "-0.0", 4));
    }

    @Test
    void storedNumbersThatTheArrayHasNot_areCorrupt() {
        assertThrows(CorruptDataException.class, () -> Numbered.decode(to("int16"), of(CoreTypes.UINT8), 5, -1));
        assertThrows(CorruptDataException.class, () -> Numbered.decode(to("float32"), of(CoreTypes.UINT8), INF));
    }

    @Test
    void chunksThatAreTooLargeDecoded_areRefused() {
        ChunkType large = Numbered.type(CoreTypes.FLOAT64, "0", 1L << 29);
        MetadataException e = assertThrows(
                MetadataException.class, () -> Codecs.bind(large, to("uint8"), Codecs.make("bytes", Json.object())));
        assertTrue(e.getMessage().contains("chunkBytes"), e.getMessage());
    }

    /** With scale_offset in front, as the specification has it; what is not asked for is not looked at. */
    @Test
    void parts_areDecodedAlone() {
        ChunkType type =
                ChunkType.of(CoreTypes.FLOAT64, CoreTypes.FLOAT64.parseFill(Json.of("NaN")), new long[] {2, 3});
        ChunkCodec chain = Codecs.bind(
                type,
                Numbered.make("scale_offset", "offset", -10, "scale", 0.5),
                to(
                        "uint8",
                        "scalar_map",
                        Numbered.object(
                                "encode",
                                List.of(List.of("NaN", 0)),
                                "decode",
                                List.of(List.of(0, "NaN"), List.of(255, "Infinity")))),
                Codecs.make("bytes", Json.object()));
        byte[] stored = {5, 6, 7, (byte) 255, 0, 10};
        ChunkType part = type.withShape(new long[] {2, 1});
        assertArrayEquals(
                new double[] {4, 10},
                Numbered.values(Codecs.decode(chain, stored, Box.of(new long[] {0, 2}, new long[] {2, 1})), part));
        assertArrayEquals(
                new double[] {INF, Double.NaN},
                Numbered.values(Codecs.decode(chain, stored, Box.of(new long[] {1, 0}, new long[] {1, 2})), part));
    }
}
