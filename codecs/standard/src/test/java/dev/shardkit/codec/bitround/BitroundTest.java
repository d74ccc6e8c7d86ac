package dev.shardkit.codec.bitround;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.codec.Codecs;
import dev.shardkit.codec.Numbered;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.extension.ArrayToArrayCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.type.ExtensionTypes;
import dev.shardkit.type.NumpyTimeType;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BitroundTest {
    private static ArrayToArrayCodec keep(int bits) {
        return Numbered.codec("bitround", "keepbits", bits);
    }

    @Nested
    class Chunks extends ArrayToArrayCodecContract {
        @Override
        protected List<ChunkCase<ArrayToArrayCodec>> cases() {
            return Numbered.types().stream()
                    .map(t -> new ChunkCase<>(keep(3), t))
                    .toList();
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
            return new BitroundCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Numbered.object("keepbits", 1), Numbered.object("keepbits", 64));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    Numbered.object("keepbits", 0),
                    Numbered.object("keepbits", -1),
                    Numbered.object("keepbits", "3"),
                    Numbered.object("keepbits", 2.5));
        }
    }

    /** The sample data of the specification. */
    @Test
    void specificationsSamples_areRoundedAsThere() {
        assertArrayEquals(
                new double[] {0, 1, 10, 12, 96, 128, 192, 192, 224, 224},
                Numbered.encode(
                        keep(3), Numbered.type(CoreTypes.UINT8, "0"), 0, 1, 10, 11, 100, 123, 200, 208, 209, 255));
        assertArrayEquals(
                new double[] {
                    0, 0.1015625, 1.25, 12, 120, 1280, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
                },
                Numbered.encode(
                        keep(3),
                        Numbered.type(CoreTypes.FLOAT32, "0"),
                        0,
                        0.1f,
                        1.2f,
                        12.3f,
                        123.4f,
                        1234.5f,
                        Double.NaN,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY));
    }

    @Test
    void signedIntegers_keepTheirSignAndTheirRange() {
        assertArrayEquals(
                new double[] {-1, 1, -12, 112, -128, -96, -128},
                Numbered.encode(keep(3), Numbered.type(CoreTypes.INT8, "0"), -1, 1, -11, 127, -127, -100, -128));
        assertArrayEquals(
                new double[] {4, -8, 4}, Numbered.encode(keep(1), Numbered.type(ExtensionTypes.INT4, "0"), 7, -7, 5));
        DataType time = ExtensionTypes.datetime64(NumpyTimeType.Unit.SECOND);
        assertEquals(Long.MIN_VALUE, word(time, Long.MIN_VALUE));
        assertEquals(1536, word(time, 1500));
        assertEquals(-1536, word(time, -1500));
        assertEquals(0x6000000000000000L, word(CoreTypes.INT64, Long.MAX_VALUE));
        assertEquals(0xc000000000000000L, word(CoreTypes.UINT64, -1L));
    }

    private static long word(DataType type, long value) {
        ChunkType one = Codecs.type(type, 1);
        byte[] bytes = new byte[8];
        ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).putLong(value);
        BoundArrayToArrayCodec stage = keep(2).bind(one);
        return ((Elements.Fixed) stage.encode(Codecs.chunk(one, bytes)).elements())
                .bytes()
                .getLong(0);
    }

    @Test
    void nan_staysNanAndComplexNumbersAreTwo() {
        ChunkType one = Codecs.type(CoreTypes.COMPLEX64, 1);
        byte[] bytes = new byte[8];
        ByteBuffer.wrap(bytes)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .putInt(0x7fffffff)
                .putInt(Float.floatToIntBits(1.2f));
        ByteBuffer out = ((Elements.Fixed)
                        keep(3).bind(one).encode(Codecs.chunk(one, bytes)).elements())
                .bytes();
        assertEquals(Double.NaN, out.getFloat(0));
        assertEquals(1.25f, out.getFloat(4));
    }

    @Test
    void typesWithoutNumbers_areRefused() {
        for (DataType type :
                List.of(CoreTypes.BOOL, CoreTypes.STRING, CoreTypes.rawBits(16), ExtensionTypes.fixedLengthUtf32(2))) {
            assertThrows(MetadataException.class, () -> keep(3).bind(Codecs.type(type, 2)), type.name());
        }
        assertEquals(
                "bitround",
                Codecs.make("numcodecs.bitround", Numbered.object("keepbits", 3))
                        .name());
    }
}
