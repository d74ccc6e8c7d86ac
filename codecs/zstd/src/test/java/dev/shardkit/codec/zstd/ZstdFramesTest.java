package dev.shardkit.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.FixtureContent;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames that zstd itself wrote (tools/make_frames.py), made-up ones, and damaged ones. */
public class ZstdFramesTest {
    private static final int N = 20_000;
    private static final String MAGIC = "28b52ffd";

    private static byte[] stream(String name) {
        return FixtureContent.stream(ZstdFramesTest.class, name + ".zst");
    }

    private static byte[] hex(String... parts) {
        return HexFormat.of().parseHex(String.join("", parts).replace(" ", ""));
    }

    private static byte[] decode(byte[] encoded, DecodedSize expected) {
        try (Scratch scratch = new Scratch()) {
            return ZstdCodec.ofLevel(1)
                    .decode(Bytes.of(encoded), expected, scratch)
                    .toArray();
        }
    }

    private static void reads(byte[] encoded, byte[] content, String what) {
        for (DecodedSize size : new DecodedSize[] {
            DecodedSize.exactly(content.length),
            DecodedSize.atMost(content.length),
            DecodedSize.atMost(Limits.LARGEST_CHUNK)
        }) {
            assertArrayEquals(content, decode(encoded, size), what + ", " + size);
        }
    }

    private static <E extends ZarrException> void refused(Class<E> type, byte[] bad, DecodedSize size, String saying) {
        ZarrException e = assertThrows(ZarrException.class, () -> decode(bad, size), saying);
        assertEquals(type, e.getClass(), e.getMessage());
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }

    private static <E extends ZarrException> void refused(Class<E> type, byte[] bad, String saying) {
        refused(type, bad, DecodedSize.exactly(N), saying);
        refused(type, bad, DecodedSize.atMost(1 << 20), saying);
    }

    @Test
    void framesOfZstd_areRead() {
        for (String name : List.of(
                "level-5", "level1", "level3", "level22", "no_size", "checksum", "no_size_checksum", "streamed3")) {
            reads(stream(name), FixtureContent.of(N), name);
        }
        reads(stream("several_blocks"), FixtureContent.of(300_000), "several_blocks");
        reads(stream("empty"), new byte[0], "empty");
        reads(stream("one"), new byte[] {'s'}, "one");
    }

    @Test
    void largeWindow_isRead() {
        reads(stream("streamed22_large_window"), FixtureContent.of(N), "a window of 128 MiB");
    }

    @Test
    void severalFrames_areJoined() {
        reads(stream("frames"), FixtureContent.of(N), "frames");
        byte[] twice = new byte[2 * N];
        System.arraycopy(FixtureContent.of(N), 0, twice, 0, N);
        System.arraycopy(FixtureContent.of(N), 0, twice, N, N);
        reads(joined(stream("no_size_checksum"), stream("streamed22_large_window")), twice, "two frames");
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void skippableFrames_areSkipped() {
        reads(stream("skippable"), FixtureContent.of(N), "skippable");
        reads(hex("502a4d18 00000000"), new byte[0], "nothing but a skippable frame");
    }

    @Test
    void skippableFrame_pastTheEnd_isCorrupt() {
        refused(
                CorruptDataException.class,
                joined(stream("level3"), hex("502a4d18 ffffffff 00")),
                "expected 4294967295 more bytes of a skippable frame, found 1");
        refused(CorruptDataException.class, joined(stream("level3"), hex("5f2a4d18 00")), "a skippable frame's size");
    }

    @Test
    void rawAndRleBlocks_areRead() {
        reads(hex(MAGIC, "20 05", "290000", "6162636465"), "abcde".getBytes(), "a raw block");
        reads(hex(MAGIC, "20 05", "2b0000", "7a"), "zzzzz".getBytes(), "an RLE block");
        reads(hex(MAGIC, "00 00", "120000", "7a", "190000", "616263"), "zzabc".getBytes(), "both, no size");
    }

    @Test
    void dictionaryField_thatSaysNone_isRead() {
        reads(hex(MAGIC, "21 00 05", "290000", "6162636465"), "abcde".getBytes(), "one byte of zero");
        reads(hex(MAGIC, "03 00 00000000", "290000", "6162636465"), "abcde".getBytes(), "four bytes of zero");
    }

    @Test
    void dictionary_isUnsupported() {
        refused(UnsupportedException.class, stream("dictionary"), "needs dictionary");
        refused(UnsupportedException.class, hex(MAGIC, "21 07 05", "290000", "6162636465"), "needs dictionary 7");
    }

    @Test
    void windowBeyondThoseOfZstd_isUnsupported() {
        refused(UnsupportedException.class, hex(MAGIC, "00 b0", "010000"), "2^32");
    }

    @Test
    void checksum_wrong_isAChecksumException() {
        for (String name : List.of("checksum", "no_size_checksum")) {
            byte[] bad = stream(name);
            bad[bad.length - 1] ^= 1;
            refused(ChecksumException.class, bad, "checksum does not match");
        }
    }

    @Test
    void truncated_anywhere_isCorrupt() {
        byte[] good = stream("frames");
        for (int n = 0; n < good.length; n += 1 + n / 50) {
            byte[] bad = Arrays.copyOf(good, n);
            refused(CorruptDataException.class, bad, DecodedSize.exactly(N), "zstd");
        }
    }

    @Test
    void trailingBytes_areCorrupt() {
        byte[] good = stream("level3");
        refused(CorruptDataException.class, Arrays.copyOf(good, good.length + 3), "a frame's magic number");
        refused(
                CorruptDataException.class,
                Arrays.copyOf(good, good.length + 8),
                "expected a frame (fd2fb528) at byte " + good.length + ", found 00000000");
    }

    @Test
    void headers_thatCannotBe_areCorrupt() {
        refused(CorruptDataException.class, new byte[0], "a frame's magic number");
        refused(CorruptDataException.class, hex(MAGIC, "28 05", "290000", "6162636465"), "reserved bit");
        refused(CorruptDataException.class, hex(MAGIC, "20 05", "2f0000", "6162636465"), "block type");
        refused(CorruptDataException.class, hex(MAGIC, "00 00", "030020", "00"), "a block of at most 131072");
        refused(CorruptDataException.class, hex(MAGIC, "20 05", "050000"), "a compressed block is empty");
    }

    @Test
    void contentSize_isNotBelieved() {
        // 2^63-1 and 2^64-1 bytes, and one more than the block has: nothing is allocated for them.
        String block = "290000 6162636465";
        refused(CorruptDataException.class, hex(MAGIC, "e0 ffffffffffffff7f", block), "claims");
        refused(CorruptDataException.class, hex(MAGIC, "e0 ffffffffffffffff", block), "18446744073709551615");
        refused(CorruptDataException.class, hex(MAGIC, "20 06", block), "claims 6 bytes");
        byte[] more = stream("level3");
        more[5] ^= 1; // the lowest bit of a two-byte content size
        refused(CorruptDataException.class, more, DecodedSize.atMost(1 << 20), "claims 20001 bytes, found 20000");
    }

    @Test
    void otherSizeExpected_isRefusedBeforeItIsDecoded() {
        refused(CorruptDataException.class, stream("level3"), DecodedSize.exactly(N + 1), "found frames of 20000");
        refused(CorruptDataException.class, stream("level3"), DecodedSize.atMost(N - 1), "found frames of 20000");
        refused(CorruptDataException.class, stream("no_size"), DecodedSize.exactly(1L << 30), "of 0 to 131072");
    }

    @Test
    void bomb_costsNoMoreThanIsExpected() {
        reads(stream("zeros_1m"), new byte[1 << 20], "with size");
        reads(stream("zeros_1m_no_size"), new byte[1 << 20], "without size");
        for (String name : List.of("zeros_1m", "zeros_1m_no_size")) {
            refused(CorruptDataException.class, stream(name), DecodedSize.exactly(1000), "exactly 1000 bytes");
            refused(
                    CorruptDataException.class,
                    stream(name),
                    DecodedSize.atMost((1 << 20) - 1),
                    "at most 1048575 bytes");
        }
    }

    /** A block whose literals need the table of an earlier block, in a frame of its own behind one that had a table. */
    @Test
    void treelessLiterals_inAFirstBlock_areCorrupt() {
        byte[] bad = joined(stream("level3"), hex(MAGIC, "00 00", "350000", "030000000000"));
        refused(CorruptDataException.class, bad, DecodedSize.atMost(1 << 20), "the table of an earlier block");
    }
}
