package dev.shardkit.codec.vlen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VlenCodecTest {
    private static final ChunkType STRINGS = Codecs.type(CoreTypes.STRING, 3);
    private static final ShardWritePolicy KEEP =
            ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);

    private static ChunkCodec utf8(ChunkType type) {
        return Codecs.bind(type, Codecs.make("vlen-utf8", Json.object()));
    }

    private static byte[][] values(DenseChunk chunk) {
        return ((Elements.Variable) chunk.elements()).values();
    }

    private static DenseChunk strings(ChunkType type, String... values) {
        byte[][] bytes = new byte[values.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = values[i].getBytes(StandardCharsets.UTF_8);
        }
        return DenseChunk.of(type, new Elements.Variable(bytes));
    }

    @Test
    void utf8_isACountThenEachLengthAndItsBytes() {
        ChunkCodec codec = utf8(STRINGS);
        byte[] encoded = codec.encode(strings(STRINGS, "", "\u00fc", "a\u0000").feed(), KEEP, new Scratch())
                .orElseThrow()
                .toArray();
        assertEquals(
                "03000000" + "00000000" + "02000000c3bc" + "020000006100",
                HexFormat.of().formatHex(encoded));
        byte[][] back = values(Codecs.decode(codec, encoded, STRINGS.box()));
        assertEquals("a\u0000", new String(back[2], StandardCharsets.UTF_8));
        assertEquals("\u00fc", new String(back[1], StandardCharsets.UTF_8));
        assertEquals(0, back[0].length);
    }

    @Test
    void decode_ofAPart_isThatPart() {
        ChunkType type = Codecs.type(CoreTypes.BYTES, 2, 3);
        ChunkCodec codec = Codecs.bind(type, Codecs.make("vlen-bytes", Json.object()));
        byte[] encoded = codec.encode(
                        strings(type, "a", "b", "c", "d", "e", "f").feed(), KEEP, new Scratch())
                .orElseThrow()
                .toArray();
        Box part = Box.of(new long[] {0, 1}, new long[] {2, 2});
        byte[][] back = values(Codecs.decode(codec, encoded, part));
        assertEquals("bcef", new String(back[0]) + new String(back[1]) + new String(back[2]) + new String(back[3]));
    }

    @Test
    void decode_behindATranspose_isTransposed() {
        ChunkType type = Codecs.type(CoreTypes.STRING, 2, 3);
        ChunkCodec codec = Codecs.bind(type, Codecs.transpose(1, 0), Codecs.make("vlen-utf8", Json.object()));
        byte[] encoded = codec.encode(
                        strings(type, "a", "b", "c", "d", "e", "f").feed(), KEEP, new Scratch())
                .orElseThrow()
                .toArray();
        byte[][] stored = values(Codecs.decode(utf8(type), encoded, type.box()));
        assertEquals("d", new String(stored[1], StandardCharsets.UTF_8));
        byte[][] back = values(Codecs.decode(codec, encoded, type.box()));
        assertEquals("b", new String(back[1], StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "'', nothing",
        "030000, half a count",
        "03000000, no elements",
        "030000000000000000000000, a length missing",
        "03000000000000000000000000000000ff, a byte more",
        "02000000000000000000000000000000, a count too small",
        "04000000000000000000000000000000, a count too large",
        "ffffffff000000000000000000000000, a count of 2^32-1",
        "03000000000000000000000001000000, a byte missing",
        "030000000000000000000000ffffffff, a length of 2^32-1",
        "030000000000000000000000ffffff7f, a length of 2^31-1",
        "0300000001000000610000000000, a length cut short",
        "03000000000000000000000001000000ff, not UTF-8",
        "03000000000000000000000003000000eda080, a surrogate",
        "03000000010000000000000000000000, lengths shifted"
    })
    void decode_ofWhatIsNoEncoding_isCorrupt(String hex, String what) {
        byte[] encoded = HexFormat.of().parseHex(hex);
        assertThrows(CorruptDataException.class, () -> Codecs.decode(utf8(STRINGS), encoded, STRINGS.box()), what);
    }

    /** Lengths of numcodecs.vlen-array are in bytes, and whole numbers of elements. */
    @ParameterizedTest
    @CsvSource({
        "02000000040000000100000003000000010203, a part of a number",
        "020000000400000001000000fcffffff, a length of 2^32-4",
        "020000000400000001000000fcffff7f, a length of 2^31-4",
        "02000000f8ffffff01000000f8ffffff, lengths whose sum overflows",
        "02000000040000000100000004000000, a number missing",
        "02000000040000000100000008000000020000, a number cut short",
        "03000000040000000100000000000000, a count too large",
        "01000000040000000100000000000000, a count too small",
        "ffffffff040000000100000000000000, a count of 2^32-1",
        "00000080040000000100000000000000, a count of 2^31",
        "00000000, a count of none",
        "0200000004000000010000000000000000000000, a number more"
    })
    void numbers_thatAreNoEncoding_areCorrupt(String hex, String what) {
        ChunkType type = Codecs.type(CoreTypes.BYTES, 2);
        Json.Obj numbers = Json.object().with("dtype", Json.of("<i4"));
        ChunkCodec codec = Codecs.bind(type, Codecs.make("numcodecs.vlen-array", numbers));
        byte[] good = HexFormat.of().parseHex("02000000040000000100000000000000");
        assertEquals(4, values(Codecs.decode(codec, good, type.box()))[0].length);
        byte[] encoded = HexFormat.of().parseHex(hex);
        assertThrows(CorruptDataException.class, () -> Codecs.decode(codec, encoded, type.box()), what);
    }

    @Test
    void decode_ofAHugeChunkInFewBytes_allocatesNothing() {
        ChunkType huge = Codecs.type(CoreTypes.STRING, 500_000_000);
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> utf8(huge)
                .decode(
                        dev.shardkit.spi.plan.Bytes.of(HexFormat.of().parseHex("0065cd1d00000000")),
                        huge.box(),
                        strings(STRINGS, "", "", "").target(),
                        new Scratch()));
        assertTrue(e.getMessage().contains("expected at least 2000000004 bytes"), e.getMessage());
    }

    @Test
    void bytes_areNotUtf8() {
        ChunkType type = Codecs.type(CoreTypes.BYTES, 1);
        ChunkCodec codec = Codecs.bind(type, Codecs.make("vlen-bytes", Json.object()));
        byte[][] back = values(Codecs.decode(codec, HexFormat.of().parseHex("0100000002000000ff00"), type.box()));
        assertArrayEquals(new byte[] {-1, 0}, back[0]);
    }

    @Test
    void encode_ofNothingButFill_isDroppedOrKept() {
        ChunkType type = ChunkType.of(CoreTypes.STRING, CoreTypes.STRING.parseFill(Json.of("x")), new long[] {2});
        assertTrue(utf8(type)
                .encode(strings(type, "x", "x").feed(), ShardWritePolicy.defaults(), new Scratch())
                .isEmpty());
        assertTrue(utf8(type)
                .encode(strings(type, "x", "x").feed(), KEEP, new Scratch())
                .isPresent());
        assertTrue(utf8(type)
                .encode(strings(type, "x", "").feed(), ShardWritePolicy.defaults(), new Scratch())
                .isPresent());
    }

    @Test
    void bind_toAnotherType_isRefused() {
        assertThrows(MetadataException.class, () -> utf8(Codecs.type(CoreTypes.BYTES, 1)));
        assertThrows(MetadataException.class, () -> utf8(Codecs.type(CoreTypes.INT32, 1)));
        assertThrows(MetadataException.class, () -> utf8(Codecs.type(CoreTypes.STRING, 1L << 31)));
        assertThrows(MetadataException.class, () -> Codecs.bind(STRINGS, Codecs.make("vlen-bytes", Json.object())));
    }

    @Test
    void limit_holdsBothWays() {
        Limits small = Limits.defaults().withChunkBytes(20);
        ChunkCodec codec =
                CodecChain.of(List.of(Codecs.make("vlen-utf8", Json.object()))).bind(STRINGS, small);
        byte[] five = utf8(STRINGS)
                .encode(strings(STRINGS, "abcde", "", "").feed(), KEEP, new Scratch())
                .orElseThrow()
                .toArray();
        assertThrows(CorruptDataException.class, () -> Codecs.decode(codec, five, STRINGS.box()));
        assertThrows(
                IllegalArgumentException.class,
                () -> codec.encode(strings(STRINGS, "abcde", "", "").feed(), KEEP, new Scratch()));
        assertEquals(
                20,
                codec.encode(strings(STRINGS, "abcd", "", "").feed(), KEEP, new Scratch())
                        .orElseThrow()
                        .size());
    }
}
