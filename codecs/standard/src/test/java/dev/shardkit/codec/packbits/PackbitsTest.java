package dev.shardkit.codec.packbits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.codec.Numbered;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.type.ExtensionTypes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PackbitsTest {
    private static ArrayToBytesCodec codec(Object... members) {
        return (ArrayToBytesCodec) Numbered.make("packbits", members);
    }

    @Nested
    class Chunks extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            List<ChunkType> types = Stream.concat(
                            Numbered.types().stream(),
                            SampleChunks.fixedTypes().stream()
                                    .filter(t -> !t.dataType().name().startsWith("r")))
                    .toList();
            // The byte of the padding stands before or after the same bits: by default a few types show its place.
            return Stream.of("none", "first_byte", "last_byte")
                    .flatMap(padding -> types.stream()
                            .filter(type -> padding.equals("none") || Rounds.areMany() || isPadded(type))
                            .map(type -> new ChunkCase<>(codec("padding_encoding", padding), type)))
                    .toList();
        }

        private boolean isPadded(ChunkType type) {
            return type.dataType().equals(CoreTypes.BOOL)
                    || type.dataType().number().map(f -> f.bits() < 8).orElse(false);
        }

        @Override
        protected DenseChunk sample(ChunkType type) {
            boolean small = type.dataType().number().map(f -> f.bits() < 8).orElse(false);
            return small
                    ? Numbered.small(type, type.dataType().equals(ExtensionTypes.UINT2) ? 3 : 7)
                    : super.sample(type);
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new PackbitsCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    Json.object(),
                    Numbered.object("padding_encoding", "first_byte"),
                    Numbered.object("first_bit", new Json.Null(), "last_bit", new Json.Null()),
                    Numbered.object("first_bit", 2, "last_bit", 2),
                    Numbered.object("last_bit", 63));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Numbered.object("padding_encoding", "start_byte"),
                    Numbered.object("first_bit", -1),
                    Numbered.object("last_bit", 64),
                    Numbered.object("first_bit", 3, "last_bit", 2),
                    Numbered.object("first_bit", "0"),
                    Numbered.object("last_bit", 1.5));
        }
    }

    private static byte[] encoded(ChunkCodec codec, DenseChunk chunk) {
        try (Scratch scratch = new Scratch()) {
            return codec.encode(chunk.feed(), ShardWritePolicy.defaults(), scratch)
                    .orElseThrow()
                    .toArray();
        }
    }

    private static void check(DataType type, double[] values, int... expected) {
        check(type, values, values, new Object[0], expected);
    }

    private static void check(DataType type, double[] values, double[] back, Object[] configuration, int... expected) {
        byte[] bytes = new byte[expected.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) expected[i];
        }
        ChunkType chunk = Codecs.type(type, values.length);
        ChunkCodec codec = Codecs.bind(chunk, codec(configuration));
        assertArrayEquals(bytes, encoded(codec, Numbered.chunk(chunk, values)));
        assertArrayEquals(back, Numbered.values(Codecs.decode(codec, bytes, chunk.box()), chunk));
    }

    @Test
    void numbers_lieLowestBitFirst() {
        check(ExtensionTypes.INT4, new double[] {-3, 7, -8}, 0x7d, 0x08);
        check(ExtensionTypes.UINT2, new double[] {1, 2, 3, 0, 3}, 0b00111001, 0b11);
        check(ExtensionTypes.INT2, new double[] {-1, 1, -2}, 0b100111);
        check(ExtensionTypes.FLOAT6_E3M2FN, new double[] {28, -28, 0, 0.0625}, 0xdf, 0x0f, 0x04);
        check(CoreTypes.UINT16, new double[] {0x1234, 1}, 0x34, 0x12, 1, 0);
    }

    @Test
    void truthValues_takeABit() {
        ChunkType type = Codecs.type(CoreTypes.BOOL, 10);
        byte[] values = {1, 0, 0, 1, 0, 0, 0, 1, 0, 1};
        for (String padding : List.of("none", "first_byte", "last_byte")) {
            ChunkCodec codec = Codecs.bind(type, codec("padding_encoding", padding));
            byte[] expected =
                    switch (padding) {
                        case "none" -> new byte[] {(byte) 0x89, 2};
                        case "first_byte" -> new byte[] {6, (byte) 0x89, 2};
                        default -> new byte[] {(byte) 0x89, 2, 6};
                    };
            assertArrayEquals(expected, encoded(codec, Codecs.chunk(type, values)));
            assertArrayEquals(values, Codecs.content(Codecs.decode(codec, expected, type.box())));
        }
    }

    @Test
    void someBits_areShiftedAndExtended() {
        check(
                CoreTypes.UINT8,
                new double[] {0xff, 0x14, 0x3c},
                new double[] {0x3c, 0x14, 0x3c},
                new Object[] {"first_bit", 2, "last_bit", 5},
                0x5f,
                0x0f);
        check(
                CoreTypes.INT16,
                new double[] {-1, 5, -512, 255},
                new double[] {-1, 5, -512, 255},
                new Object[] {"last_bit", 9},
                0xff,
                0x17,
                0x00,
                0xe0,
                0x3f);
        check(
                CoreTypes.INT16,
                new double[] {-4, 8},
                new double[] {-4, 8},
                new Object[] {"first_bit", 2, "last_bit", 4},
                0b010111);
    }

    @Test
    void paddingThatIsNotSo_isCorrupt() {
        ChunkType type = Codecs.type(CoreTypes.BOOL, 10);
        ChunkCodec first = Codecs.bind(type, codec("padding_encoding", "first_byte"));
        for (byte[] bad : new byte[][] {{5, 0, 0}, {14, 0, 0}, {6, 0}, {6, 0, 0, 0}, {}}) {
            CorruptDataException e =
                    assertThrows(CorruptDataException.class, () -> Codecs.decode(first, bad, type.box()));
            assertTrue(e.getMessage().contains("packbits"), e.getMessage());
        }
        ChunkCodec none = Codecs.bind(type, codec());
        assertEquals(2, none.encodedSize().orElseThrow());
        assertThrows(CorruptDataException.class, () -> Codecs.decode(none, new byte[3], type.box()));
    }

    @Test
    void bitsThatTheTypeHasNot_areRefused() {
        assertThrows(MetadataException.class, () -> Codecs.bind(Codecs.type(CoreTypes.UINT8, 4), codec("last_bit", 8)));
        assertThrows(MetadataException.class, () -> Codecs.bind(Codecs.type(CoreTypes.BOOL, 4), codec("first_bit", 1)));
        for (DataType type :
                List.of(CoreTypes.STRING, CoreTypes.BYTES, CoreTypes.rawBits(8), ExtensionTypes.fixedLengthUtf32(1))) {
            assertThrows(MetadataException.class, () -> Codecs.bind(Codecs.type(type, 4), codec()), type.name());
        }
        assertThrows(MetadataException.class, () -> Codecs.bind(Codecs.type(CoreTypes.BOOL, 1L << 40), codec()));
    }
}
