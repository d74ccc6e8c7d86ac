package dev.shardkit.codec.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.DenseFeed;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytesCodecTest {
    private static final ShardWritePolicy KEEP =
            ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);

    private final Scratch scratch = new Scratch();

    private static ChunkType type(String name, long... shape) {
        return Codecs.type(
                name.startsWith("r")
                        ? CoreTypes.rawBits(Long.parseLong(name.substring(1)))
                        : CoreTypes.all().stream()
                                .filter(t -> t.name().equals(name))
                                .findFirst()
                                .orElseThrow(),
                shape);
    }

    @ParameterizedTest
    @CsvSource({
        "uint8, 01020304, 01020304",
        "int16, 01020304, 02010403",
        "float32, 0102030405060708, 0403020108070605",
        "uint64, 0102030405060708, 0807060504030201",
        "complex64, 0102030405060708, 0403020108070605",
        "complex128, 000102030405060708090a0b0c0d0e0f, 07060504030201000f0e0d0c0b0a0908",
        "r24, 010203, 010203",
        "r16, 01020304, 01020304",
        "float16, 01020304, 02010403"
    })
    void words_areInTheOrderTheyAreStoredIn(String name, String littleEndian, String bigEndian) {
        byte[] little = HexFormat.of().parseHex(littleEndian);
        ChunkType type =
                type(name, little.length / type(name).dataType().elementSize().getAsInt());
        for (String endian : List.of("little", "big")) {
            ChunkCodec codec = Codecs.bind(type, Codecs.bytes(endian));
            Bytes encoded = codec.encode(Codecs.chunk(type, little).feed(), KEEP, scratch)
                    .orElseThrow();
            assertEquals(
                    endian.equals("little") ? littleEndian : bigEndian,
                    HexFormat.of().formatHex(encoded.toArray()));
            assertArrayEquals(little, Codecs.content(Codecs.decode(codec, encoded.toArray(), type.box())));
        }
    }

    @Test
    void decode_handsTheEncodedBufferToTheTarget_withoutACopy() {
        ChunkType type = type("uint16", 4, 4);
        ChunkCodec codec = Codecs.bind(type, Codecs.bytes("big"));
        byte[] encoded = new byte[32];
        Target out = new Target() {
            @Override
            public void put(Elements from, long offset, long[] strides, Box at) {
                ByteBuffer bytes = ((Elements.Fixed) from).bytes();
                assertSame(encoded, bytes.array());
                assertEquals(ByteOrder.BIG_ENDIAN, bytes.order());
                assertEquals(6, offset);
                assertArrayEquals(new long[] {4, 1}, strides);
                assertEquals(Box.of(new long[] {2, 1}), at);
                encoded[0] = 1;
            }

            @Override
            public void fill(FillValue value, Box at) {
                throw new AssertionError();
            }
        };
        codec.decode(Bytes.of(encoded), Box.of(new long[] {1, 2}, new long[] {2, 1}), out, scratch);
        assertEquals(1, encoded[0]);
    }

    @Test
    void decode_ofSeveralPieces_isThatOfOne() {
        ChunkType type = type("uint32", 2);
        byte[] all = {1, 2, 3, 4, 5, 6, 7, 8};
        Bytes pieces = Bytes.concat(List.of(Bytes.of(all, 0, 3), Bytes.of(all, 3, 5)));
        ChunkCodec codec = Codecs.bind(type, Codecs.bytes("little"));
        var out = dev.shardkit.spi.array.DenseChunk.filled(type);
        codec.decode(pieces, type.box(), out.target(), scratch);
        assertArrayEquals(all, Codecs.content(out));
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "31", "33", "64"})
    void decode_ofAnotherSize_isCorrupt(int size) {
        ChunkCodec codec = Codecs.bind(type("uint16", 4, 4), Codecs.bytes("little"));
        CorruptDataException e = assertThrows(
                CorruptDataException.class,
                () -> Codecs.decode(codec, new byte[size], codec.type().box()));
        assertTrue(
                e.getMessage().contains("expected 32 bytes") && e.getMessage().contains("found " + size));
    }

    @Test
    void decode_ofABoolThatIsNeither_isCorrupt() {
        ChunkCodec codec = Codecs.bind(type("bool", 3), Codecs.make("bytes", Json.object()));
        assertThrows(
                CorruptDataException.class,
                () -> Codecs.decode(codec, new byte[] {0, 1, 2}, codec.type().box()));
    }

    @Test
    void encode_ofNothingButFill_isDroppedOrKept_byBits() {
        FillValue fill = CoreTypes.FLOAT32.parseFill(Json.of("NaN"));
        ChunkType type = ChunkType.of(CoreTypes.FLOAT32, fill, new long[] {3});
        ChunkCodec codec = Codecs.bind(type, Codecs.bytes("big"));
        byte[] bytes = HexFormat.of().parseHex("0000c07f0000c07f0000c07f");
        assertTrue(codec.encode(Codecs.chunk(type, bytes).feed(), ShardWritePolicy.defaults(), scratch)
                .isEmpty());
        assertTrue(codec.encode(Codecs.chunk(type, bytes).feed(), KEEP, scratch).isPresent());
        bytes[8] = 1;
        assertTrue(codec.encode(Codecs.chunk(type, bytes).feed(), ShardWritePolicy.defaults(), scratch)
                .isPresent());
    }

    @Test
    void endian_isTheOldName_andWrittenAsBytes() {
        Codec codec = Codecs.make("endian", Json.object().with("endian", Json.of("big")));
        assertEquals("bytes", codec.name());
        assertEquals("{\"endian\":\"big\"}", codec.configuration().toString());
        assertEquals("{}", Codecs.make("bytes", Json.object()).configuration().toString());
    }

    @Test
    void endian_missing_isAnErrorForWordsOfSeveralBytesOnly() {
        Codec codec = Codecs.make("bytes", Json.object());
        for (String name : List.of("int16", "complex64", "float16")) {
            assertThrows(MetadataException.class, () -> Codecs.bind(type(name, 2), codec));
        }
        for (String name : List.of("bool", "int8", "uint8", "r24")) {
            assertTrue(Codecs.bind(type(name, 2), codec).encodedSize().isPresent());
            assertTrue(Codecs.bind(type(name, 2), Codecs.bytes("little"))
                    .encodedSize()
                    .isPresent());
        }
    }

    @Test
    void configurations_thatCannotBe_areRefused() {
        assertThrows(MetadataException.class, () -> Codecs.bytes("middle"));
        assertThrows(
                MetadataException.class,
                () -> Codecs.make("bytes", Json.object().with("order", Json.of("C"))));
        assertThrows(MetadataException.class, () -> Codecs.bind(type("string", 2), Codecs.bytes("little")));
        assertThrows(
                MetadataException.class, () -> Codecs.bind(type("int64", 1L << 40, 1L << 40), Codecs.bytes("little")));
        Limits small = Limits.defaults().withChunkBytes(31);
        MetadataException e = assertThrows(MetadataException.class, () -> CodecChain.of(List.of(Codecs.bytes("little")))
                .bind(type("uint16", 4, 4), small));
        assertTrue(e.getMessage().contains("chunkBytes"), e.getMessage());
        CodecChain.of(List.of(Codecs.bytes("little"))).bind(type("uint16", 4, 4), small.withChunkBytes(32));
    }

    @Test
    void noDimensions_isOneElement() {
        ChunkCodec codec = Codecs.bind(type("int32"), Codecs.bytes("little"));
        assertArrayEquals(
                new byte[] {7, 0, 0, 0},
                Codecs.content(Codecs.decode(
                        codec, new byte[] {7, 0, 0, 0}, codec.type().box())));
    }

    /** A feed of int16 whose elements are little-endian, in two pieces. */
    private record TwoPieces(ByteBuffer first, ByteBuffer second) implements DenseFeed {
        TwoPieces(int a, int b, int c) {
            this(words(a), words(b, c));
        }

        private static ByteBuffer words(int... values) {
            ByteBuffer words = ByteBuffer.allocateDirect(2 * values.length).order(ByteOrder.LITTLE_ENDIAN);
            for (int value : values) {
                words.putShort((short) value);
            }
            return words.flip();
        }

        @Override
        public void get(Box part, Elements destination, long offset, long[] strides) {
            ByteBuffer all = words(first.getShort(0), second.getShort(0), second.getShort(2));
            DenseChunk.of(type("int16", 3), Elements.Fixed.of(CoreTypes.INT16, all, ByteOrder.LITTLE_ENDIAN))
                    .feed()
                    .get(part, destination, offset, strides);
        }

        @Override
        public Optional<Bytes> dense(ByteOrder order) {
            return order == ByteOrder.LITTLE_ENDIAN
                    ? Optional.of(Bytes.concat(List.of(Bytes.of(first), Bytes.of(second))))
                    : Optional.empty();
        }
    }

    @Test
    void elementsInTheOrderOfTheCodec_areNotCopied() {
        ChunkCodec little = bound(ByteOrder.LITTLE_ENDIAN, type("int16", 3));
        TwoPieces feed = new TwoPieces(1, 2, 3);
        Bytes encoded =
                little.encode(feed, ShardWritePolicy.defaults(), scratch).orElseThrow();
        assertEquals("010002000300", HexFormat.of().formatHex(encoded.toArray()));
        feed.second().putShort(2, (short) 4);
        assertEquals("010002000400", HexFormat.of().formatHex(encoded.toArray()), "the same memory");
        Bytes big = bound(ByteOrder.BIG_ENDIAN, type("int16", 3))
                .encode(feed, ShardWritePolicy.defaults(), scratch)
                .orElseThrow();
        assertEquals("000100020004", HexFormat.of().formatHex(big.toArray()));
    }

    @Test
    void elementsInPieces_areMissing_ifAllEqualTheFillValue() {
        ChunkCodec codec = bound(ByteOrder.LITTLE_ENDIAN, type("int16", 3));
        ShardWritePolicy drop = ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.DROP);
        assertTrue(codec.encode(new TwoPieces(0, 0, 0), drop, scratch).isEmpty());
        assertTrue(codec.encode(new TwoPieces(0, 0, 0), KEEP, scratch).isPresent());
        assertTrue(codec.encode(new TwoPieces(0, 0, 1), drop, scratch).isPresent());
        assertTrue(codec.encode(new TwoPieces(1, 0, 0), drop, scratch).isPresent());
    }

    private static ChunkCodec bound(ByteOrder order, ChunkType type) {
        return new BytesCodec(order).bind(type, Limits.defaults());
    }
}
