package dev.shardkit.n5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ChainWrapper;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of N5's specification, and blocks that are smaller than the chunk. */
class BlockCodecTest {
    private static final String HEADER = "0000 0003 00000001 00000002 00000003";

    private static ChunkType uint16(long... shape) {
        return ChunkType.of(CoreTypes.UINT16, FillValue.of(new byte[] {7, 0}), shape);
    }

    private static short[] decoded(String hex, ChunkType type, Json... compressor) {
        Bytes block = Bytes.of(HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
        DenseChunk chunk = DenseChunk.filled(type);
        try (Scratch scratch = new Scratch()) {
            N5ContractTest.block(type.rank(), compressor)
                    .bind(type, Limits.defaults())
                    .decode(block, type.box(), chunk.target(), scratch);
        }
        short[] values = new short[(int) type.count()];
        ((Elements.Fixed) chunk.elements()).bytes().asShortBuffer().get(values);
        return values;
    }

    /** The specification counts the first dimension fastest; the chunk is in C order. */
    @ParameterizedTest
    @CsvSource({
        "'', 000100020003000400050006",
        "numcodecs.bz2, 425a6839314159265359023e0dd200000040007f002000310c010d31a87394337c5dc914e1424008f83748",
        "gzip, 1f8b08000000000000006360646062606660616065600300aaea6dbf0c000000",
        "numcodecs.lzma, fd377a585a000004e6d6b4460200210116000000742fe5a301000b00010002000300040005000600"
                + "0d0309ca34ec15a70001240ca618d8d81fb6f37d010000000004595a",
    })
    void examplesOfTheSpecification_areDecoded(String codec, String elements) {
        Json[] compressor = codec.isEmpty()
                ? new Json[0]
                : new Json[] {
                    Json.extension(
                            codec, codec.equals("gzip") ? Json.object().with("level", Json.of(1)) : Json.object())
                };
        assertArrayEquals(new short[] {1, 3, 5, 2, 4, 6}, decoded(HEADER + elements, uint16(1, 2, 3), compressor));
    }

    @Test
    void smallerBlock_isPaddedWithTheFillValue() {
        short[] values = decoded(HEADER + "000100020003000400050006", uint16(2, 2, 4));
        assertArrayEquals(new short[] {1, 3, 5, 7, 2, 4, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7}, values);
        assertArrayEquals(new short[] {7, 7}, decoded("0000 0002 00000000 00000001", uint16(2, 1)), "no element");
    }

    /** A copy takes the elements out of the block; the header of a varlength block is longer. */
    @Test
    void elementsOfABlock_beginBehindItsHeader() {
        ChainWrapper codec = (ChainWrapper) N5ContractTest.block(3);
        String elements = "000100020003000400050006";
        for (String header : List.of(HEADER, "0001 0003 00000001 00000002 00000003 00000006")) {
            Bytes block = Bytes.of(HexFormat.of().parseHex((header + elements).replace(" ", "")));
            byte[] found =
                    codec.elements(block, new long[] {1, 2, 3}).orElseThrow().toArray();
            assertEquals(elements, HexFormat.of().formatHex(found), header);
            assertEquals(Optional.empty(), codec.elements(block, new long[] {2, 2, 3}), "smaller than a chunk");
        }
    }

    @Test
    void partOfASmallerBlock_isDecoded() {
        Bytes block = Bytes.of(HexFormat.of().parseHex((HEADER + "000100020003000400050006").replace(" ", "")));
        ChunkType part = uint16(2, 1, 2);
        DenseChunk chunk = DenseChunk.filled(part);
        try (Scratch scratch = new Scratch()) {
            N5ContractTest.block(3)
                    .bind(uint16(2, 2, 4), Limits.defaults())
                    .decode(block, Box.of(new long[] {0, 1, 2}, new long[] {2, 1, 2}), chunk.target(), scratch);
        }
        short[] values = new short[4];
        ((Elements.Fixed) chunk.elements()).bytes().asShortBuffer().get(values);
        assertArrayEquals(new short[] {6, 7, 7, 7}, values);
    }

    @Test
    void chainsThatN5Lacks_areRefused() {
        MetadataException e = assertThrows(
                MetadataException.class, () -> N5ContractTest.block(2).bind(uint16(2, 2, 4), Limits.defaults()));
        assertTrue(e.fact().contains("expected the codec transpose with {\"order\":[2,1,0]} first"), e.fact());
        e = assertThrows(MetadataException.class, () -> N5ContractTest.block(0).bind(uint16(), Limits.defaults()));
        assertEquals("codec n5_default: expected 1 to 65535 dimensions, found 0", e.fact());
        Json gzip = Json.extension("gzip", Json.object().with("level", Json.of(1)));
        e = assertThrows(MetadataException.class, () -> N5ContractTest.block(1, gzip, gzip)
                .bind(uint16(4), Limits.defaults()));
        assertTrue(e.fact().contains("at most one bytes-to-bytes codec"), e.fact());
    }
}
