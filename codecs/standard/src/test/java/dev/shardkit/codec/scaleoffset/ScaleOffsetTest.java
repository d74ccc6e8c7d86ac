package dev.shardkit.codec.scaleoffset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.codec.Numbered;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.extension.ArrayToArrayCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.type.ExtensionTypes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ScaleOffsetTest {
    private static ArrayToArrayCodec codec(Object offset, Object scale) {
        return Numbered.codec("scale_offset", "offset", offset, "scale", scale);
    }

    @Nested
    class Chunks extends ArrayToArrayCodecContract {
        @Override
        protected List<ChunkCase<ArrayToArrayCodec>> cases() {
            ArrayToArrayCodec nothing = Numbered.codec("scale_offset");
            Stream<ChunkCase<ArrayToArrayCodec>> plain =
                    Numbered.types().stream().map(t -> new ChunkCase<>(nothing, t));
            return Stream.concat(
                            plain,
                            Stream.of(
                                    new ChunkCase<>(codec(-100, 3), Numbered.type(CoreTypes.INT32, "3", 4, 6, 3)),
                                    new ChunkCase<>(codec(-4, 0.5), Numbered.type(CoreTypes.FLOAT64, "2", 5, 80)),
                                    new ChunkCase<>(codec(1.5, 2), Numbered.type(ExtensionTypes.BFLOAT16, "1.5", 2, 3)),
                                    new ChunkCase<>(codec(6, -1), Numbered.type(ExtensionTypes.INT4, "1", 3, 3))))
                    .toList();
        }

        @Override
        protected DenseChunk sample(ChunkType type) {
            return Numbered.small(type, type.dataType().equals(ExtensionTypes.UINT2) ? 3 : 6);
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new ScaleOffsetCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    Json.object(),
                    Numbered.object("offset", 5),
                    Numbered.object("scale", 0.1),
                    Numbered.object("offset", -1, "scale", "0x3f800000"));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Numbered.object("offset", new Json.Null()),
                    Numbered.object("scale", List.of(1)),
                    Numbered.object("scale", Json.of(true)));
        }
    }

    /** The example of the specification: uint16 from 1000 to 1255. */
    @Test
    void offset_movesIntegers() {
        ArrayToArrayCodec codec = Numbered.codec("scale_offset", "offset", 1000);
        ChunkType type = Numbered.type(CoreTypes.UINT16, "1000");
        assertArrayEquals(new double[] {0, 255, 64535}, Numbered.encode(codec, type, 1000, 1255, 65535));
        assertArrayEquals(new double[] {1000, 1255}, Numbered.decode(codec, type, 0, 255));
        assertTrue(codec.bind(type.withShape(new long[] {2})).encoded().fill().isZero());
    }

    @Test
    void floats_areComputedInTheirOwnPrecision() {
        ArrayToArrayCodec codec = codec(5, 0.1);
        ChunkType type = Numbered.type(CoreTypes.FLOAT32, "0");
        float expected = (0.3f - 5f) * 0.1f;
        assertArrayEquals(new double[] {expected}, Numbered.encode(codec, type, 0.3f));
        assertArrayEquals(new double[] {expected / 0.1f + 5f}, Numbered.decode(codec, type, expected));
        ChunkType half = Numbered.type(CoreTypes.FLOAT16, "0");
        // 2049 is no float16, so the difference is rounded before it is scaled
        assertArrayEquals(new double[] {4096}, Numbered.encode(codec(-1, 2), half, 2048));
    }

    @Test
    void nanAndInfinity_stay() {
        ChunkType type = Numbered.type(CoreTypes.FLOAT64, "0");
        double[] values = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        assertArrayEquals(values, Numbered.encode(codec(-10, 0.1), type, values));
        assertArrayEquals(values, Numbered.decode(codec(-10, 0.1), type, values));
    }

    @Test
    void numbersThatTheTypeHasNot_areTheCallersMistakeOrCorruption() {
        ChunkType bytes = Numbered.type(CoreTypes.INT8, "0");
        for (double[] bad : new double[][] {{-128}, {127}, {-30}}) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> Numbered.encode(codec(1, 5), bytes, bad));
            assertTrue(e.getMessage().contains("int8"), e.getMessage());
        }
        CorruptDataException odd =
                assertThrows(CorruptDataException.class, () -> Numbered.decode(codec(0, 5), bytes, 5, 7));
        assertTrue(odd.getMessage().contains("7 / 5"), odd.getMessage());
        assertThrows(CorruptDataException.class, () -> Numbered.decode(codec(100, 1), bytes, 28));
        assertThrows(CorruptDataException.class, () -> Numbered.decode(codec(0, -1), bytes, -128));
        ChunkType floats = Numbered.type(CoreTypes.FLOAT32, "0");
        assertThrows(IllegalArgumentException.class, () -> Numbered.encode(codec(0, 1e10), floats, 1e30f));
        assertThrows(CorruptDataException.class, () -> Numbered.decode(codec(0, 1e-10), floats, 1e30f));
    }

    @Test
    void arithmetic_of64UnsignedBits_isExact() {
        WholeArithmetic all = new WholeArithmetic(
                (dev.shardkit.spi.array.IntegerFormat) CoreTypes.UINT64.number().orElseThrow());
        assertEquals(-1L, all.add(-2L, 1));
        assertThrows(ArithmeticException.class, () -> all.add(-1L, 1));
        assertEquals(Long.MIN_VALUE, all.subtract(-1L, Long.MAX_VALUE));
        assertThrows(ArithmeticException.class, () -> all.subtract(1, 2));
        assertEquals(-2L, all.multiply(Long.MAX_VALUE, 2));
        assertThrows(ArithmeticException.class, () -> all.multiply(Long.MIN_VALUE, 2));
        assertEquals(Long.MAX_VALUE, all.divide(-2L, 2));
        assertThrows(ArithmeticException.class, () -> all.divide(-1L, 2));
        WholeArithmetic signed = new WholeArithmetic(
                (dev.shardkit.spi.array.IntegerFormat) CoreTypes.INT64.number().orElseThrow());
        assertThrows(ArithmeticException.class, () -> signed.divide(Long.MIN_VALUE, -1));
        assertEquals(Long.MAX_VALUE, signed.divide(-Long.MAX_VALUE, -1));
        assertThrows(ArithmeticException.class, () -> signed.multiply(Long.MIN_VALUE, -1));
    }

    @Test
    void typesAndScalarsThatDoNotFit_areRefused() {
        ChunkType bytes = Numbered.type(CoreTypes.INT8, "0", 4);
        for (Object[] pair : new Object[][] {{128, 1}, {0.5, 1}, {0, 0}, {0, 300}, {"NaN", 1}}) {
            MetadataException e = assertThrows(
                    MetadataException.class, () -> codec(pair[0], pair[1]).bind(bytes));
            assertTrue(e.getMessage().contains("scale_offset"), e.getMessage());
        }
        ChunkType floats = Numbered.type(CoreTypes.FLOAT32, "0", 4);
        for (Object[] pair : new Object[][] {{"NaN", 1}, {0, "Infinity"}, {0, 0}, {0, -0.0}, {"x", 1}}) {
            assertThrows(MetadataException.class, () -> codec(pair[0], pair[1]).bind(floats));
        }
        for (ChunkType other : List.of(
                Codecs.type(CoreTypes.BOOL, 2),
                Codecs.type(CoreTypes.COMPLEX64, 2),
                Codecs.type(CoreTypes.rawBits(8), 2),
                Codecs.type(CoreTypes.STRING, 2),
                Codecs.type(ExtensionTypes.datetime64(dev.shardkit.type.NumpyTimeType.Unit.DAY), 2))) {
            assertThrows(
                    MetadataException.class,
                    () -> Numbered.codec("scale_offset").bind(other),
                    other.toString());
        }
        MetadataException fill = assertThrows(
                MetadataException.class, () -> codec(1000, 1).bind(Numbered.type(CoreTypes.UINT16, "0", 4)));
        assertTrue(fill.getMessage().contains("fill value"), fill.getMessage());
    }
}
