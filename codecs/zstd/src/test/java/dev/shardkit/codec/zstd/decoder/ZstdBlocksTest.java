package dev.shardkit.codec.zstd.decoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Blocks made by hand: what encoders seldom or never write, and each way to be wrong (RFC 8878, section 3.1.1.3). */
class ZstdBlocksTest {
    private static final int COMPRESSED = 2;

    private final ByteArrayOutputStream frame = new ByteArrayOutputStream();

    ZstdBlocksTest() {
        frame.writeBytes(hex("28b52ffd 00 50")); // no content size, a window of 1 MiB
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private ZstdBlocksTest block(int type, byte[] content) {
        int header = content.length << 3 | type << 1;
        frame.writeBytes(new byte[] {(byte) header, (byte) (header >> 8), (byte) (header >> 16)});
        frame.writeBytes(content);
        return this;
    }

    private ZstdBlocksTest raw(String content) {
        return block(0, content.getBytes(StandardCharsets.US_ASCII));
    }

    /** Another frame, which begins with a raw block. */
    private ZstdBlocksTest again() {
        frame.reset();
        frame.writeBytes(hex("28b52ffd 00 50"));
        return raw("abcdefgh");
    }

    private ZstdBlocksTest compressed(String digits) {
        return block(COMPRESSED, hex(digits));
    }

    private byte[] decode(long most) {
        frame.writeBytes(hex("010000")); // the last block, empty
        byte[] all = frame.toByteArray();
        try (Scratch scratch = new Scratch()) {
            return ZstdDecoder.read(new HeapBytes(all, 0, all.length), DecodedSize.atMost(most), scratch)
                    .toArray();
        }
    }

    private void yields(String content) {
        assertEquals(content, new String(decode(1 << 20), StandardCharsets.US_ASCII));
    }

    private void refused(String saying) {
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> decode(1 << 20));
        assertTrue(e.getMessage().contains(saying), e.getMessage());
        assertTrue(e.getMessage().contains("at byte "), e.getMessage());
    }

    @Test
    void rleLiterals_ofEachHeader_areRead() {
        compressed("29 7a 00")
                .compressed("55 00 79 00")
                .compressed("5d 00 00 78 00")
                .yields("zzzzz" + "yyyyy" + "xxxxx");
    }

    @Test
    void rawLiterals_ofEachHeader_areRead() {
        compressed("18 616263 00")
                .compressed("34 00 646566 00")
                .compressed("3c 00 00 676869 00")
                .yields("abcdefghi");
    }

    /**
     * No literals, offset value 1 and length 3, without a bit for any of it: the second and third offset take turns.
     */
    @Test
    void sequencesOfSingleSymbols_moreThanTwoBytesCount_areRead() {
        int n = 0x7F00 + 300;
        raw("abcdefgh").compressed("00 ff 2c01 54 00 00 00 01");
        byte[] expected = Arrays.copyOf("abcdefgh".getBytes(StandardCharsets.US_ASCII), 8 + 3 * n);
        int at = 8;
        for (int i = 0; i < n; i++) {
            int offset = i % 2 == 0 ? 4 : 1;
            for (int k = 0; k < 3; k++, at++) {
                expected[at] = expected[at - offset];
            }
        }
        assertArrayEquals(expected, decode(1 << 20));
    }

    @Test
    void offsets_ofTheHistory_areTakenInTurn() {
        // Offset code 1 and one bit each: with no literals value 2 is the third offset, 3 is the first less one.
        raw("abcdefghij").compressed("00 01 54 00 01 00 02").yields("abcdefghij" + "cde");
        again().raw("ij").compressed("00 01 54 00 01 00 03").refused("expected an offset of 1 to 10, found 0");
    }

    @Test
    void treeless_withoutATree_isCorrupt() {
        compressed("43 80 00 0101 00").refused("literals need the table of an earlier block");
    }

    @Test
    void repeatedTable_withoutATable_isCorrupt() {
        raw("abcdefgh").compressed("00 01 fc 01").refused("need the table of an earlier block");
    }

    @Test
    void reservedBits_areCorrupt() {
        raw("abcdefgh").compressed("00 01 55 00 00 00 01").refused("reserved bits of the compression modes");
    }

    @Test
    void symbolsBeyondTheCodes_areCorrupt() {
        raw("abcdefgh").compressed("00 01 54 24 00 00 01").refused("literal lengths below 36, found 36");
    }

    @Test
    void offsetBeforeTheFrame_isCorrupt() {
        raw("abc").compressed("00 01 54 00 00 00 01").refused("expected an offset of 1 to 3, found 4");
    }

    @Test
    void literalsThatAreNotThere_areCorrupt() {
        raw("abcdefgh").compressed("08 61 01 54 02 00 00 01").refused("expected 2 more literals, found 1");
    }

    @Test
    void bitsThatAreLeftOrMissing_areCorrupt() {
        raw("abcdefgh").compressed("00 01 54 00 00 00 02").refused("found 1 more bits");
        again().compressed("00 01 54 00 08 00 01").refused("found too few bits");
    }

    @Test
    void streamWithoutAMark_isCorrupt() {
        raw("abcdefgh").compressed("00 01 54 00 00 00 00").refused("ends with a one bit, found none");
        again().compressed("00 01 54 00 00 00").refused("ends with a one bit, found nothing");
    }

    @Test
    void bytesBehindNoSequences_areCorrupt() {
        compressed("08 61 00 00").refused("the end of a block without sequences, found 1 more bytes");
    }

    @Test
    void blockBeyond128KiB_isCorrupt() {
        // One match of 131072 bytes fits; of 131073, or two of 65539 do not.
        assertEquals(
                8 + 131072,
                raw("abcdefgh").compressed("00 01 54 00 00 34 fdff 01").decode(1 << 20).length);
        again().compressed("00 01 54 00 00 34 feff 01").refused("expected a block of at most 131072 bytes, found more");
        again().compressed("00 02 54 00 00 34 00000000 01").refused("expected a block of at most 131072 bytes");
    }
}
