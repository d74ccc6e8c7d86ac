package dev.shardkit.codec.gzip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.FixtureContent;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Streams that other programs wrote (tools/make_frames.py), and damaged ones. */
class GzipStreamsTest {
    private static final int N = 20_000;

    private static byte[] stream(String name) {
        return FixtureContent.stream(GzipStreamsTest.class, name + ".gz");
    }

    private static byte[] decode(byte[] encoded, DecodedSize expected) {
        try (Scratch scratch = new Scratch()) {
            return new GzipCodec(1).decode(Bytes.of(encoded), expected, scratch).toArray();
        }
    }

    private static void reads(String name, byte[] content) {
        for (DecodedSize size : new DecodedSize[] {
            DecodedSize.exactly(content.length),
            DecodedSize.atMost(content.length),
            DecodedSize.atMost(Limits.LARGEST_CHUNK)
        }) {
            assertArrayEquals(content, decode(stream(name), size), name + ", " + size);
        }
    }

    private static <E extends CorruptDataException> void refused(Class<E> type, byte[] bad, String saying) {
        refused(type, bad, saying, DecodedSize.exactly(N));
        refused(type, bad, saying, DecodedSize.atMost(1 << 20));
    }

    private static void refused(
            Class<? extends CorruptDataException> type, byte[] bad, String saying, DecodedSize size) {
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> decode(bad, size));
        assertEquals(type, e.getClass(), e.getMessage());
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }

    @Test
    void levels_areRead() {
        reads("level0", FixtureContent.of(N));
        reads("level1", FixtureContent.of(N));
        reads("level9", FixtureContent.of(N));
        reads("several_blocks", FixtureContent.of(300_000));
        reads("empty", new byte[0]);
        reads("zeros_1m", new byte[1 << 20]);
    }

    @Test
    void headerFields_areSkipped() {
        reads("header_fields", FixtureContent.of(N));
    }

    @Test
    void members_areJoined() {
        reads("members", FixtureContent.of(N));
    }

    @Test
    void headerFields_cutAnywhere_areCorrupt() {
        byte[] good = stream("header_fields");
        for (int n = 0; n < 60; n++) {
            refused(CorruptDataException.class, Arrays.copyOf(good, n), "gzip: ");
        }
    }

    @Test
    void headerChecksum_wrong_isAChecksumException() {
        byte[] bad = stream("header_fields");
        bad[13] ^= 1;
        refused(ChecksumException.class, bad, "CRC-16");
    }

    @Test
    void checksum_wrong_isAChecksumException() {
        byte[] bad = stream("level9");
        bad[bad.length - 8] ^= 1;
        refused(ChecksumException.class, bad, "CRC-32: stored 0x");
    }

    @Test
    void size_wrong_isCorrupt() {
        byte[] bad = stream("level9");
        bad[bad.length - 1] ^= 1;
        refused(CorruptDataException.class, bad, "the trailer says 16797216 bytes, found 20000");
    }

    @Test
    void checksumOfAnEarlierMember_counts() {
        byte[] bad = stream("members");
        int second = 0;
        for (int i = 10; bad[i] != 0x1f || bad[i + 1] != (byte) 0x8b || bad[i + 2] != 8; i++) {
            second = i + 1;
        }
        bad[second - 7] ^= 1;
        refused(ChecksumException.class, bad, "CRC-32");
    }

    @Test
    void trailingBytes_areCorrupt() {
        byte[] good = stream("level9");
        refused(CorruptDataException.class, Arrays.copyOf(good, good.length + 1), "a member's header");
        refused(
                CorruptDataException.class,
                Arrays.copyOf(good, good.length + 64),
                "expected a member (1f 8b) at byte " + good.length);
    }

    @Test
    void otherFormats_areCorrupt() {
        refused(CorruptDataException.class, new byte[0], "found 0");
        refused(CorruptDataException.class, new byte[100], "expected a member");
        byte[] method = stream("level9");
        method[2] = 7;
        refused(CorruptDataException.class, method, "method 7");
        byte[] reserved = stream("level9");
        reserved[3] = 0x20;
        refused(CorruptDataException.class, reserved, "flags 20");
        byte[] block = stream("level9");
        block[10] |= 6; // block type 3
        refused(CorruptDataException.class, block, "DEFLATE");
    }

    @Test
    void bomb_costsNoMoreThanIsExpected() {
        for (DecodedSize size : new DecodedSize[] {DecodedSize.exactly(1000), DecodedSize.atMost((1 << 20) - 1)}) {
            refused(CorruptDataException.class, stream("zeros_1m"), size.toString(), size);
        }
        refused(
                CorruptDataException.class,
                stream("empty"),
                "cannot hold as many",
                DecodedSize.exactly(Limits.LARGEST_CHUNK));
    }

    @Test
    void matches_doNotReachIntoAnEarlierMember() {
        byte[] zeros = stream("zeros_1m");
        byte[] two = Arrays.copyOf(zeros, zeros.length + 24);
        System.arraycopy(zeros, 0, two, zeros.length, 10);
        // One fixed block with a match of 3 bytes, 1 byte back.
        System.arraycopy(new byte[] {3, 2, 0}, 0, two, zeros.length + 10, 3);
        refused(CorruptDataException.class, two, "too far back", DecodedSize.atMost(2 << 20));
    }
}
