package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.Rounds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that lie: only a CorruptDataException or a value of the right size comes out, and no memory is wasted. */
class BloscCorruptionTest {
    private static final DecodedSize EXACT = DecodedSize.exactly(1536);
    private static final DecodedSize ANYTHING = DecodedSize.atMost(Limits.LARGEST_CHUNK);

    @ParameterizedTest
    @FieldSource("dev.shardkit.codec.blosc.Frames#SMALL")
    void everyTruncation_isCorrupt(String name) {
        byte[] frame = Frames.resource(name + ".blosc");
        try (Scratch scratch = new Scratch()) {
            for (int n = 0; n < frame.length; n++) {
                byte[] cut = Arrays.copyOf(frame, n);
                assertEquals(1, tryDecode(cut, EXACT, scratch), "cut to " + n);
                if (n >= 16) {
                    // The same with a header that agrees: only the streams can tell.
                    BloscHeader.int32(cut, 12, n);
                    assertEquals(1, tryDecode(cut, EXACT, scratch), "cut to " + n + " with an honest header");
                }
            }
        }
        assertThrows(CorruptDataException.class, () -> Frames.decode(Arrays.copyOf(frame, frame.length + 1), EXACT));
    }

    @ParameterizedTest
    @FieldSource("dev.shardkit.codec.blosc.Frames#SMALL")
    void flips_areCorruptOrOfTheRightSize(String name) {
        byte[] frame = Frames.resource(name + ".blosc");
        Random random = new Random(name.hashCode());
        int refused = 0;
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < Rounds.of(100); i++) {
                byte[] bad = frame.clone();
                int from = i % 2 == 0 ? 0 : Math.min(16, frame.length - 1);
                for (int flips = i % 3; flips >= 0; flips--) {
                    bad[from + random.nextInt(frame.length - from)] ^= (byte) (1 << random.nextInt(8));
                }
                refused += tryDecode(bad, i % 5 == 0 ? DecodedSize.atMost(4000) : EXACT, scratch);
            }
        }
        assertTrue(refused > 0, refused + " refused");
    }

    private static int tryDecode(byte[] bad, DecodedSize expected, Scratch scratch) {
        int mark = scratch.mark();
        try {
            expected.check(
                    Frames.reader().decode(Bytes.of(bad), expected, scratch).size(), "test");
            return 0;
        } catch (CorruptDataException e) {
            return 1;
        } catch (UnsupportedException e) {
            assertTrue(bad[0] != 2, "only another version is unsupported: " + e);
            return 1;
        } finally {
            scratch.reset(mark);
        }
    }

    @Test
    void headerOfAnySort_neverEscapes() {
        byte[] frame = Frames.resource("blocksize.blosc");
        Random random = new Random(11);
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < Rounds.of(1_000); i++) {
                byte[] bad = frame.clone();
                byte[] junk = new byte[4];
                random.nextBytes(junk);
                System.arraycopy(junk, 0, bad, 4 * random.nextInt(30), 4);
                if (i % 2 == 0) {
                    BloscHeader.int32(bad, 12, bad.length);
                }
                tryDecode(bad, ANYTHING, scratch);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1535, 1537, 1L << 40})
    void anotherSizeThanExpected_isCorrupt(long expected) {
        byte[] frame = Frames.resource("lz4_shuffle.blosc");
        assertThrows(CorruptDataException.class, () -> Frames.decode(frame, DecodedSize.exactly(expected)));
    }

    @Test
    void moreThanTheMost_isCorrupt() {
        byte[] frame = Frames.resource("zstd_shuffle.blosc");
        assertEquals(1536, Frames.decode(frame, DecodedSize.atMost(1536)).length);
        Exception e = assertThrows(CorruptDataException.class, () -> Frames.decode(frame, DecodedSize.atMost(1535)));
        assertTrue(e.getMessage().contains("at most 1535 bytes, found 1536"), e.getMessage());
    }

    /** A frame of 44 bytes that claims 2^31-17, which the caller would let it have. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void impossibleClaim_isRefusedBeforeItIsAllocated(int format) {
        byte[] frame = frame(format << 5 | 0x10, 1, Integer.MAX_VALUE - 64, Integer.MAX_VALUE - 64, 44);
        BloscHeader.int32(frame, 16, 20);
        BloscHeader.int32(frame, 20, 20);
        Exception e = assertThrows(CorruptDataException.class, () -> Frames.decode(frame, ANYTHING));
        assertTrue(e.getMessage().contains("expansion"), e.getMessage());
    }

    @Test
    void blocksThatShareBytes_areRefused() {
        int blocks = 1000;
        byte[] frame = frame(3 << 5 | 0x10, 1, 50_000 * blocks, 50_000, 16 + 4 * blocks + 104);
        for (int i = 0; i < blocks; i++) {
            BloscHeader.int32(frame, 16 + 4 * i, 16 + 4 * blocks);
        }
        BloscHeader.int32(frame, 16 + 4 * blocks, 100);
        Exception e = assertThrows(CorruptDataException.class, () -> Frames.decode(frame, ANYTHING));
        assertTrue(e.getMessage().contains("share no bytes"), e.getMessage());
    }

    @Test
    void moreBlocksThanTheFrameHasRoomFor_areRefused() {
        byte[] frame = frame(1 << 5, 1, Integer.MAX_VALUE - 64, 1, 200);
        Exception e = assertThrows(CorruptDataException.class, () -> Frames.decode(frame, ANYTHING));
        assertTrue(e.getMessage().contains("room for the starts"), e.getMessage());
    }

    @Test
    void frameOfBlosc2_isUnsupported() {
        byte[] chunk = frame(0x05, 4, 100, 100, 32);
        chunk[0] = 5;
        Exception e = assertThrows(UnsupportedException.class, () -> Frames.decode(chunk, DecodedSize.exactly(100)));
        assertTrue(e.getMessage().contains("blosc 2"), e.getMessage());
    }

    @Test
    void versionFromTheFuture_isCorrupt() {
        byte[] frame = Frames.resource("lz4_shuffle.blosc");
        frame[0] = 9;
        assertThrows(CorruptDataException.class, () -> Frames.decode(frame, EXACT));
    }

    private static byte[] frame(int flags, int typesize, int nbytes, int blocksize, int length) {
        byte[] frame = new byte[length];
        frame[0] = BloscHeader.VERSION;
        frame[1] = 1;
        frame[2] = (byte) flags;
        frame[3] = (byte) typesize;
        BloscHeader.int32(frame, 4, nbytes);
        BloscHeader.int32(frame, 8, blocksize);
        BloscHeader.int32(frame, 12, length);
        return frame;
    }
}
