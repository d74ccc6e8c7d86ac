package dev.shardkit.codec.deflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Streams written bit by bit: each rule of RFC 1951, as zlib applies it. */
class DeflateMalformedTest {
    private static final int END = 256;

    private final DifferentialInflater both = new DifferentialInflater(DeflateFormat.RAW);

    private static BitWriter last(int type) {
        return new BitWriter().bits(1, 1).bits(type, 2);
    }

    /** Returns lengths up to the highest symbol; {@code lengths} are pairs of symbol and length. */
    private static int[] lengths(int n, int... lengths) {
        int[] all = new int[n];
        for (int i = 0; i < lengths.length; i += 2) {
            all[lengths[i]] = lengths[i + 1];
        }
        return all;
    }

    /** Writes a block with the codes 0: literal 65, 10: the end, 11: a match of 3 bytes. */
    private static BitWriter dynamic(int[] distances) {
        return last(2).codes(lengths(258, 65, 1, END, 2, 257, 2), distances);
    }

    private void accepted(byte[] content, BitWriter stream) {
        assertArrayEquals(
                content, both.agree(stream.bytes(), 100_000).orElseThrow().bytes());
    }

    private void refused(String why, BitWriter stream) {
        byte[] bytes = stream.bytes();
        assertTrue(both.agree(bytes, 100_000).isEmpty(), why);
        // With bytes behind it, the fast loop finds the same.
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 100);
        assertTrue(both.agree(longer, 100_000).isEmpty(), why);
        for (byte[] in : new byte[][] {bytes, longer}) {
            String found = error(DeflateFormat.RAW, CorruptDataException.class, in);
            assertTrue(found.contains(why), found);
        }
    }

    private static String error(DeflateFormat format, Class<? extends CorruptDataException> type, byte[] stream) {
        CodecOutput out = CodecOutput.within(new byte[100_000], 0, 100_000);
        HeapBytes in = new HeapBytes(stream, 0, stream.length);
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> new DeflateDecoder(format)
                .decode(in, 0, out, DecodedSize.atMost(100_000), "x"));
        assertEquals(type, e.getClass());
        return e.getMessage();
    }

    @Test
    void blockTypes() {
        refused("block type 3", last(3));
        accepted(new byte[0], last(1).code(0, 7));
        accepted(new byte[0], last(0).align().bits(0, 16).bits(0xffff, 16));
        accepted(
                new byte[] {7},
                new BitWriter()
                        .bits(0, 3)
                        .align()
                        .bits(1, 16)
                        .bits(0xfffe, 16)
                        .bits(7, 8)
                        .bits(3, 3)
                        .code(0, 7));
        refused("complement", last(0).align().bits(1, 16).bits(0xffff, 16).bits(7, 8));
        assertTrue(both.agree(
                        last(0).align().bits(2, 16).bits(0xfffd, 16).bits(7, 8).bytes(), 9)
                .isEmpty());
    }

    @Test
    void fixedBlock_lastSymbols() {
        refused("invalid literal or length", last(1).code(0b11000110, 8));
        refused("invalid literal or length", last(1).code(0b11000111, 8));
        BitWriter match = last(1).code(0x30 + 1, 8).code(1, 7);
        accepted(new byte[] {1, 1, 1, 1}, match.code(0, 5).code(0, 7));
        for (int distance = 30; distance < 32; distance++) {
            refused("invalid distance", last(1).code(0x31, 8).code(1, 7).code(distance, 5));
        }
    }

    @Test
    void longestMatch_hasTwoCodes() {
        byte[] content = new byte[259];
        accepted(content, last(1).code(0x30, 8).code(0b11000101, 8).code(0, 5).code(0, 7));
        accepted(
                content,
                last(1).code(0x30, 8).code(0b11000100, 8).bits(31, 5).code(0, 5).code(0, 7));
    }

    @Test
    void distances() {
        accepted(new byte[4], last(1).code(0x30, 8).code(1, 7).code(0, 5).code(0, 7));
        refused(
                "a distance of 2 reaches too far back",
                last(1).code(0x30, 8).code(1, 7).code(1, 5).code(0, 7));
        refused(
                "a distance of 1 reaches too far back",
                last(1).code(1, 7).code(0, 5).code(0, 7));
        for (int size : new int[] {32_767, 32_768, 40_000}) {
            BitWriter stored = new BitWriter().bits(0, 3).align().bits(size, 16).bits(~size, 16);
            byte[] content = new byte[size + 3];
            for (int i = 0; i < size; i++) {
                content[i] = (byte) (i * 31 >> 3);
                stored.bits(content[i], 8);
            }
            stored.bits(3, 3).code(1, 7).code(29, 5).bits(8191, 13).code(0, 7); // 32,768 bytes back
            if (size < 32_768) {
                refused("too far back", stored);
            } else {
                System.arraycopy(content, size - 32_768, content, size, 3);
                accepted(content, stored);
            }
        }
    }

    @Test
    void literalCodes() {
        String why = "literal and length codes are over-subscribed or incomplete";
        refused(why, last(2).codes(lengths(257, 65, 1, 66, 1, END, 1), lengths(1)));
        refused(why, last(2).codes(lengths(257, 65, 2, END, 1), lengths(1)));
        refused(why, last(2).codes(lengths(257, END, 2), lengths(1)));
        refused(why, last(2).codes(lengths(257, 65, 15, END, 15), lengths(1)));
        refused("no code for the end", last(2).codes(lengths(257, 65, 1, 66, 1), lengths(1)));
        refused("no code for the end", last(2).codes(lengths(257), lengths(1)));
        accepted(new byte[0], last(2).codes(lengths(257, END, 1), lengths(1)).bits(0, 1));
        refused(
                "invalid literal or length",
                last(2).codes(lengths(257, END, 1), lengths(1)).bits(1, 1));
    }

    @Test
    void distanceCodes() {
        byte[] four = {65, 65, 65, 65};
        accepted(new byte[] {65}, dynamic(lengths(1)).code(0, 1).code(2, 2));
        refused("invalid distance", dynamic(lengths(1)).code(0, 1).code(3, 2).bits(0, 1));
        refused("invalid distance", dynamic(lengths(1)).code(0, 1).code(3, 2).bits(1, 1));
        accepted(
                four, dynamic(lengths(1, 0, 1)).code(0, 1).code(3, 2).bits(0, 1).code(2, 2));
        refused(
                "invalid distance",
                dynamic(lengths(1, 0, 1)).code(0, 1).code(3, 2).bits(1, 1).code(2, 2));
        accepted(
                four,
                dynamic(lengths(2, 0, 1, 1, 1)).code(0, 1).code(3, 2).bits(0, 1).code(2, 2));
        String why = "distance codes are over-subscribed or incomplete";
        refused(why, dynamic(lengths(1, 0, 2)));
        refused(why, dynamic(lengths(3, 0, 1, 1, 1, 2, 1)));
        refused(why, dynamic(lengths(3, 0, 2, 1, 2, 2, 2)));
        refused(why, dynamic(lengths(30, 0, 15, 29, 15)));
    }

    @Test
    void counts() {
        refused(
                "too many length or distance symbols",
                last(2).bits(30, 5).bits(0, 5).bits(0, 4).bits(0, 100));
        refused(
                "too many length or distance symbols",
                last(2).bits(31, 5).bits(0, 5).bits(0, 4).bits(0, 100));
        refused(
                "too many length or distance symbols",
                last(2).bits(0, 5).bits(30, 5).bits(0, 4).bits(0, 100));
        refused(
                "too many length or distance symbols",
                last(2).bits(0, 5).bits(31, 5).bits(0, 4).bits(0, 100));
        accepted(
                new byte[0],
                last(2).codes(lengths(286, END, 1, 285, 1), lengths(30, 0, 1, 29, 1))
                        .bits(0, 1));
    }

    private void lengthCode(String why, int[] lengths, Consumer<BitWriter> rest) {
        BitWriter stream = last(2).lengthCode(257, 1, lengths);
        rest.accept(stream);
        refused(why, stream);
    }

    @Test
    void codesOfCodeLengths() {
        String why = "codes of code lengths are over-subscribed or incomplete";
        lengthCode(why, lengths(19), b -> b.bits(0, 300));
        lengthCode(why, lengths(19, 1, 1), b -> b.bits(0, 300));
        lengthCode(why, lengths(19, 1, 1, 2, 1, 3, 1), b -> b.bits(0, 300));
        lengthCode(why, lengths(19, 1, 7, 2, 7), b -> b.bits(0, 300));
    }

    @Test
    void repeatedCodeLengths() {
        int[] four = lengths(19, 1, 2, 16, 2, 17, 2, 18, 2); // 00: length 1, 01, 10, 11: repeats
        String why = "a code length repeats a missing one, or past the last symbol";
        lengthCode(why, four, b -> b.code(1, 2).bits(0, 2).bits(0, 300));
        lengthCode(why, four, b -> b.code(3, 2).bits(127, 7).code(3, 2).bits(127, 7));
        lengthCode(why, four, b -> b.code(3, 2)
                .bits(127, 7)
                .code(3, 2)
                .bits(107, 7)
                .code(0, 2)
                .code(2, 2)
                .bits(0, 3));
        // 256 zeros, then 1 twice, for the end and for a distance.
        accepted(
                new byte[0],
                last(2).lengthCode(257, 1, four)
                        .code(3, 2)
                        .bits(127, 7)
                        .code(3, 2)
                        .bits(107, 7)
                        .code(0, 4)
                        .bits(0, 1));
        // The repeated length may continue from literals to distances: 254 zeros, 1, 2, and that 5 times more.
        accepted(
                new byte[0],
                last(2).lengthCode(257, 4, lengths(19, 1, 2, 2, 2, 16, 2, 18, 2))
                        .code(3, 2)
                        .bits(127, 7)
                        .code(3, 2)
                        .bits(105, 7)
                        .code(0, 2)
                        .code(1, 2)
                        .code(2, 2)
                        .bits(2, 2)
                        .code(3, 2));
    }

    @Test
    void zlibHeaders() {
        HexFormat hex = HexFormat.of();
        DifferentialInflater zlib = new DifferentialInflater(DeflateFormat.ZLIB);
        for (int i = 0; i < 1 << 16; i++) {
            byte[] stream = hex.parseHex(String.format("%04x030000000001", i));
            zlib.agree(stream, 10);
        }
        assertTrue(zlib.agree(hex.parseHex("789c030000000001"), 0).isPresent());
        String header = error(DeflateFormat.ZLIB, CorruptDataException.class, hex.parseHex("1f8b0300000001"));
        assertTrue(header.contains("not a valid zlib stream: at byte 0: expected a header, found 1f 8b"), header);
        String dictionary = error(DeflateFormat.ZLIB, CorruptDataException.class, hex.parseHex("78bb00000001"));
        assertTrue(dictionary.contains("preset dictionary"), dictionary);
        String sum = error(DeflateFormat.ZLIB, ChecksumException.class, hex.parseHex("789c030000000002"));
        assertTrue(sum.contains("Adler-32 does not match: stored 0x00000002, computed 0x00000001"), sum);
    }
}
