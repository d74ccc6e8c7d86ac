package dev.shardkit.blosc2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Frames whose sizes are wrong: nothing is allocated for them. */
class FrameClaimsTest {
    private static final int HEADER_SIZE = 11;
    private static final int FLAGS = 25;
    private static final int NBYTES = 30;
    private static final int CBYTES = 39;
    private static final int CHUNK_SIZE = 58;

    private static final int SHAPE = 0x75;
    private static final int CHUNK = 0x88;
    private static final int BLOCK = 0x93;

    /** A chunk of h5py with hdf5plugin: 5 times 6 elements of 4 bytes; rows begin with 0, 17, 34, 51 and 68. */
    private static final byte[] ARRAY = Base64.getDecoder()
            .decode("nqhiMmZyYW1lANIAAAClzwAAAAAAAAE/pBIAUAPTAAAAAAAAAHjTAAAAAAAAAE/SAAAABNIAAAB40gAAAHjRAADRAAHC2AYA"
                    + "AAAAAAEAAAAAAAAAAAAAk80AEd4AAaRiMm5k0gAAAGvcAAHGAAAANZcAApLTAAAAAAAAAAXTAAAAAAAAAAaS0gAAAAXSAAAA"
                    + "BpLSAAAABdIAAAAGANsAAAADfFY0BQEVBHgAAAB4AAAATwAAAAAAAAAAAQAAAAAAAAAAAAAkAAAAJwAAAD4AAQIDBAUREhMU"
                    + "FRYiIyQlJiczNDU2NzhERUZHSEkA4E0AAgAAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPN"
                    + "AAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==");

    private static byte[] plain() {
        return UncompressedFrame.encode(Bytes.of(new byte[100])).toArray();
    }

    private static byte[] decode(byte[] frame, DecodedSize size) {
        try (Scratch scratch = new Scratch()) {
            return new FrameCodec()
                    .decode(Bytes.of(frame), size, scratch)
                    .copy()
                    .toArray();
        }
    }

    private static void corrupt(ByteBuffer frame, DecodedSize size, String expected) {
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> decode(frame.array(), size));
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    private static ByteBuffer of(byte[] frame) {
        return ByteBuffer.wrap(frame.clone());
    }

    @Test
    void array_isDecodedInCOrder() {
        byte[] found = decode(ARRAY, DecodedSize.exactly(120));
        for (int i = 0; i < 30; i++) {
            assertEquals(i / 6 * 17 + i % 6, Words.int32(found, 4 * i));
        }
    }

    @Test
    void sizesOfPlainFrames_areChecked() {
        DecodedSize some = DecodedSize.atMost(1000);
        corrupt(of(plain()).putLong(NBYTES, 1L << 40), some, "found " + (1L << 40));
        corrupt(of(plain()).putInt(CHUNK_SIZE, 1), some, "expected at most 12 chunks");
        corrupt(of(plain()).putInt(CHUNK_SIZE, 0), some, "expected chunks of a fixed size");
        corrupt(of(plain()).putInt(CHUNK_SIZE, 50), some, "expected an index of 2 chunks");
        corrupt(of(plain()).putLong(CBYTES, 1 << 20), some, "bytes of chunks");
        corrupt(of(plain()).putInt(HEADER_SIZE, 1 << 20), some, "expected a header of");
        corrupt(of(plain()).putLong(NBYTES, 90), some, "expected 90 decoded bytes");
        assertThrows(
                UnsupportedException.class,
                () -> decode(of(plain()).put(FLAGS + 1, (byte) 1).array(), some));
    }

    @Test
    void shapesOfArrays_areChecked() {
        DecodedSize some = DecodedSize.exactly(120);
        corrupt(of(ARRAY).putLong(SHAPE, 1L << 40), some, "expected exactly 120 bytes");
        corrupt(of(ARRAY).putLong(SHAPE, Long.MAX_VALUE), some, "expected sizes below 2^63 bytes");
        corrupt(of(ARRAY).putInt(CHUNK, Integer.MAX_VALUE), some, "decoded bytes in chunk 0");
        corrupt(of(ARRAY).putInt(CHUNK, 4), some, "expected blocks of at most 4 elements");
        corrupt(of(ARRAY).putInt(CHUNK, 1).putInt(BLOCK, 1), some, "expected an index of 5 chunks");
        corrupt(
                of(ARRAY).putInt(CHUNK, Integer.MAX_VALUE).putInt(BLOCK, Integer.MAX_VALUE),
                some,
                "expected blocks of at most 65536 bytes");
        corrupt(of(ARRAY).putInt(BLOCK, 3), some, "decoded bytes in chunk 0");
    }
}
