package dev.shardkit.codec.bzip2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.Rounds;
import io.airlift.compress.bzip2.BZip2HadoopStreams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bzip2 format beyond the vectors: several blocks, several streams, malformed streams. */
class Bz2Test {
    /** What Python's {@code bz2.compress(bytes(i % 2 for i in range(250000)), 1)} returns: three blocks. */
    private static final byte[] THREE_BLOCKS = HexFormat.of()
            .parseHex("425a683131415926535946ba5e840061a34000600020003080291942505aa1282e6282b24ca6b3d553324000c3468000"
                    + "c00040006100523542505942505cc50564994d6655e4964000c375000180008000c201351884553108aa717724538509"
                    + "05ac36dc00");

    private static final byte[] ABC =
            HexFormat.of().parseHex("425a6839314159265359648cbb73000000010038002000219819846177245385090648cbb730");
    private static final byte[] EMPTY = HexFormat.of().parseHex("425a683917724538509000000000");

    private static byte[] decode(byte[] encoded, DecodedSize expected) {
        try (Scratch scratch = new Scratch()) {
            return new Bz2Codec(1).decode(Bytes.of(encoded), expected, scratch).toArray();
        }
    }

    private static byte[] decode(byte[] encoded) {
        return decode(encoded, DecodedSize.atMost(1 << 22));
    }

    private static byte[] encode(byte[] decoded) {
        try (Scratch scratch = new Scratch()) {
            return new Bz2Codec(1).encode(Bytes.of(decoded), scratch).toArray();
        }
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void severalBlocks_areDecoded() {
        byte[] expected = new byte[250_000];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) (i % 2);
        }
        assertArrayEquals(expected, decode(THREE_BLOCKS));
        assertArrayEquals(expected, decode(encode(expected)));
    }

    @Test
    void concatenatedStreams_areDecoded() {
        assertArrayEquals("abcabc".getBytes(StandardCharsets.US_ASCII), decode(join(ABC, ABC)));
        assertArrayEquals(
                "abcabc".getBytes(StandardCharsets.US_ASCII), decode(join(EMPTY, ABC, EMPTY, EMPTY, ABC, EMPTY)));
    }

    @Test
    void bytesAfterTheLastStream_areRefused() {
        assertThrows(CorruptDataException.class, () -> decode(join(ABC, new byte[1])));
        assertThrows(CorruptDataException.class, () -> decode(join(ABC, new byte[20])));
        assertThrows(CorruptDataException.class, () -> decode(new byte[0]));
    }

    @Test
    void runsAndNoise_areDecodedAsByAircompressor() throws IOException {
        Random random = new Random(3);
        for (int n : new int[] {1, 3, 4, 5, 255, 258, 259, 260, 4096, 100_003, 1_200_000}) {
            byte[] runs = new byte[n];
            for (int i = 0; i < n; ) {
                int end = Math.min(n, i + 1 + random.nextInt(random.nextInt(600) + 1));
                Arrays.fill(runs, i, end, (byte) random.nextInt(3));
                i = end;
            }
            byte[] noise = new byte[n];
            random.nextBytes(noise);
            for (byte[] data : new byte[][] {new byte[n], runs, noise}) {
                byte[] encoded = encode(data);
                assertArrayEquals(data, decode(encoded, DecodedSize.exactly(n)), "of " + n + " bytes");
                try (InputStream peer = new BZip2HadoopStreams().createInputStream(new ByteArrayInputStream(encoded))) {
                    assertArrayEquals(data, peer.readNBytes(n), "aircompressor, of " + n + " bytes");
                }
            }
        }
    }

    @Test
    void moreThanExpected_isRefusedEarly() {
        String message = assertThrows(CorruptDataException.class, () -> decode(THREE_BLOCKS, DecodedSize.exactly(1000)))
                .getMessage();
        assertTrue(message.contains("numcodecs.bz2 decoded: expected"), message);
    }

    /** Old encoders randomise repetitive blocks; aircompressor's is one. */
    @Test
    void randomisedBlock_isDecoded() throws IOException {
        byte[] data = "ab".repeat(4000).getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (OutputStream peer = new BZip2HadoopStreams().createOutputStream(encoded)) {
            peer.write(data);
        }
        assertEquals(0x80, encoded.toByteArray()[14] & 0x80, "the bit that says that the block is randomised");
        assertArrayEquals(data, decode(encoded.toByteArray()));
    }

    @Test
    void wrongChecksums_areRefused() {
        byte[] ofBlock = ABC.clone();
        ofBlock[10]++;
        assertThrows(ChecksumException.class, () -> decode(ofBlock));
        byte[] ofStream = ABC.clone();
        ofStream[ABC.length - 2]++;
        assertThrows(ChecksumException.class, () -> decode(ofStream));
    }

    /** Every change either is found, or changes only bits that nobody reads. */
    @Test
    void changedBytes_areRefusedOrDecodeToTheSame() {
        Random random = new Random(5);
        byte[] text = "sharded arrays, packed into one object, ".repeat(20).getBytes(StandardCharsets.US_ASCII);
        byte[] encoded = encode(text);
        for (int i = 0; i < Rounds.of(3_000); i++) {
            byte[] changed = encoded.clone();
            for (int k = random.nextInt(3); k >= 0; k--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                assertArrayEquals(text, decode(changed, DecodedSize.exactly(text.length)));
            } catch (CorruptDataException e) {
                assertTrue(e.getMessage().startsWith("numcodecs.bz2"), e.getMessage());
            }
        }
    }
}
