package dev.shardkit.codec.ffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Native and pure-Java codecs read each other's bytes, and refuse the same with the same words. */
class FfmBesidePlainTest {
    static Stream<BytesToBytesCodec> codecs() {
        return Stream.of(
                Native.zstd(3, "true"),
                Native.zstd(19, "false"),
                Native.gzip(0),
                Native.gzip(9),
                Native.blosc("lz4", "shuffle", 2),
                Native.blosc("lz4hc", "bitshuffle", 4),
                Native.blosc("snappy", "shuffle", 8),
                Native.blosc("zstd", "shuffle", 4),
                Native.blosc("zlib", "noshuffle", 1));
    }

    /** Half of it repeats. */
    private static byte[] content(int n) {
        Random random = new Random(n);
        byte[] bytes = new byte[n];
        for (int i = 0; i < n; i++) {
            bytes[i] = (byte) (i / 64 % 2 == 0 ? i / 512 : random.nextInt(16));
        }
        return bytes;
    }

    private static byte[] encode(BytesToBytesCodec codec, byte[] bytes) {
        try (Scratch scratch = new Scratch()) {
            return codec.encode(Bytes.of(bytes), scratch).toArray();
        }
    }

    private static byte[] decode(BytesToBytesCodec codec, byte[] encoded, DecodedSize size) {
        try (Scratch scratch = new Scratch()) {
            return codec.decode(Bytes.of(encoded), size, scratch).toArray();
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void eachReadsTheOther(BytesToBytesCodec codec) {
        BytesToBytesCodec plain = Native.plain(codec);
        for (int n : new int[] {0, 1, 100, 4096, 65_536, 300_000}) {
            byte[] bytes = content(n);
            assertArrayEquals(bytes, decode(plain, encode(codec, bytes), DecodedSize.exactly(n)));
            assertArrayEquals(bytes, decode(codec, encode(plain, bytes), DecodedSize.exactly(n)));
            assertArrayEquals(bytes, decode(codec, encode(codec, bytes), DecodedSize.atMost(n)));
        }
    }

    /** What a decoder makes of bytes: their hash or the kind of error and its words. */
    private static String outcome(BytesToBytesCodec codec, byte[] encoded, int size) {
        try {
            return "decoded " + Arrays.hashCode(decode(codec, encoded, DecodedSize.exactly(size)));
        } catch (CorruptDataException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void damagedBytes_haveTheSameOutcome(BytesToBytesCodec codec) {
        BytesToBytesCodec plain = Native.plain(codec);
        byte[] encoded = encode(codec, content(5000));
        Random random = new Random(3);
        int refused = 0;
        for (int i = 0; i < 500; i++) {
            byte[] bad = i % 4 == 0 ? Arrays.copyOf(encoded, random.nextInt(encoded.length)) : encoded.clone();
            for (int flips = i % 4; flips > 0; flips--) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            String expected = outcome(plain, bad, 5000);
            refused += expected.startsWith("decoded") ? 0 : 1;
            String found = outcome(codec, bad, 5000);
            // Without a checksum, what damage decodes to may differ among decoders that both take it.
            if (!expected.startsWith("decoded") && !found.startsWith("decoded")) {
                assertEquals(expected, found);
            } else if (codec.name().equals("gzip")) {
                assertEquals(expected, found);
            }
        }
        assertTrue(refused > 50, refused + " refused");
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void anotherSize_isRefused(BytesToBytesCodec codec) {
        byte[] encoded = encode(codec, content(5000));
        for (int size : new int[] {0, 1, 4999, 5001, 10_000}) {
            assertThrows(CorruptDataException.class, () -> decode(codec, encoded, DecodedSize.exactly(size)));
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void directAndSlicedBuffers_areReadToo(BytesToBytesCodec codec) {
        byte[] bytes = content(5000);
        byte[] encoded = encode(codec, bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(encoded.length + 7).position(7);
        direct.duplicate().put(encoded);
        try (Scratch scratch = new Scratch()) {
            assertArrayEquals(
                    bytes,
                    codec.decode(Bytes.of(direct), DecodedSize.exactly(5000), scratch)
                            .toArray());
            Bytes pieces = Bytes.concat(List.of(Bytes.of(encoded, 0, 50), Bytes.of(encoded, 50, encoded.length - 50)));
            assertArrayEquals(
                    bytes,
                    codec.decode(pieces, DecodedSize.exactly(5000), scratch).toArray());
        }
    }

    @Test
    void levels_areFollowed() {
        byte[] bytes = content(200_000);
        assertTrue(encode(Native.zstd(19, "false"), bytes).length < encode(Native.zstd(-50, "false"), bytes).length);
        assertTrue(encode(Native.gzip(9), bytes).length < encode(Native.gzip(1), bytes).length);
        assertTrue(encode(Native.gzip(0), bytes).length > bytes.length);
    }

    @Test
    void zstdChecksum_isWrittenWhenAskedFor() {
        byte[] bytes = content(5000);
        byte[] with = encode(Native.zstd(3, "true"), bytes);
        assertEquals(encode(Native.zstd(3, "false"), bytes).length + 4, with.length);
        with[with.length - 1] ^= 1;
        assertThrows(ChecksumException.class, () -> decode(Native.zstd(3, "false"), with, DecodedSize.exactly(5000)));
    }

    @Test
    void severalGzipMembers_areReadAsOne() {
        byte[] member = encode(Native.gzip(5), content(3000));
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(member);
        both.writeBytes(member);
        byte[] decoded = decode(Native.gzip(5), both.toByteArray(), DecodedSize.exactly(6000));
        assertArrayEquals(content(3000), Arrays.copyOfRange(decoded, 3000, 6000));
        assertEquals(6000, decode(Native.gzip(5), both.toByteArray(), DecodedSize.atMost(9000)).length);
    }

    @Test
    void sizesFromTheCodecs_areThePlainOnes() {
        for (BytesToBytesCodec codec : codecs().toList()) {
            assertEquals(Native.plain(codec).configuration(), codec.configuration());
            assertEquals(Native.plain(codec).maxEncodedSize(5000), codec.maxEncodedSize(5000));
            assertEquals(Optional.empty(), Optional.of(codec.encodedSize(10)).filter(s -> s.isPresent()));
        }
    }
}
