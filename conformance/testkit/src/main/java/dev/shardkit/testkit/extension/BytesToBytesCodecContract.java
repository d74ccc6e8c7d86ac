package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.testkit.PlanProbe;
import dev.shardkit.testkit.SampleBytes;
import dev.shardkit.testkit.internal.Parallel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The contract of bytes-to-bytes codecs. To test a codec, extend this class and supply the codec:
 *
 * <pre>{@code
 * class MyCodecTest extends BytesToBytesCodecContract {
 *   protected BytesToBytesCodec codec() {
 *     return new MyCodec(5);
 *   }
 * }
 * }</pre>
 *
 * <p>{@link CodecFactoryContract} tests the factory.
 */
public abstract class BytesToBytesCodecContract {
    /** The sizes of samples: small ones, and those around the sizes of words and blocks, where codecs err. */
    private static final int[] SIZES = {
        0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 100, 255, 256, 257, 1000, 4096, 65_536, 150_001
    };
    /** How many random ranges of each sample are decoded. */
    private static final int PARTS = 6;
    /** The maximum size of a small sample, whose encoding is cut and changed. */
    private static final int SMALL = 200;
    /** The maximum size of a larger sample for the same purpose, and for tests of a single sample. */
    private static final int MEDIUM = 5_000;

    /** For subclasses. */
    protected BytesToBytesCodecContract() {}

    /** Returns the codec, bound if it depends on the chunk type; a new or the same one at each call. */
    protected abstract BytesToBytesCodec codec();

    /** Returns the sizes to test, in bytes; a codec for elements of a certain size returns multiples of it. */
    protected int[] sizes() {
        return SIZES.clone();
    }

    private interface Trial {
        void run(byte[] decoded, Scratch scratch);
    }

    private void each(Trial trial) {
        try (Scratch scratch = new Scratch()) {
            for (SampleBytes.Kind kind : SampleBytes.Kind.values()) {
                for (int n : sizes()) {
                    trial.run(SampleBytes.make(kind, n), scratch);
                    scratch.reset(0);
                }
            }
        }
    }

    /** Returns the largest of the sizes up to {@code max}. */
    private int size(int max) {
        return Arrays.stream(sizes()).filter(n -> n <= max).max().orElseThrow();
    }

    private static byte[] encode(BytesToBytesCodec codec, byte[] decoded, Scratch scratch) {
        return codec.encode(Bytes.of(decoded), scratch).toArray();
    }

    private static byte[] decode(BytesToBytesCodec codec, Bytes encoded, long size, Scratch scratch) {
        return codec.decode(encoded, DecodedSize.exactly(size), scratch).toArray();
    }

    private static String bytes(byte[] decoded) {
        return decoded.length + " bytes";
    }

    @Test
    void decode_ofEncoded_isTheSame() {
        BytesToBytesCodec codec = codec();
        each((decoded, scratch) -> {
            int n = decoded.length;
            Bytes encoded = codec.encode(Bytes.of(decoded), scratch);
            for (DecodedSize size : List.of(
                    DecodedSize.exactly(n),
                    DecodedSize.atMost(n),
                    DecodedSize.atMost(n + 1),
                    DecodedSize.atMost(3L * n + 999))) {
                byte[] found = codec.decode(encoded, size, scratch).toArray();
                assertArrayEquals(decoded, found, () -> n + " bytes, expecting " + size);
            }
        });
    }

    @Test
    void decode_otherSizeExpected_isRefused() {
        BytesToBytesCodec codec = codec();
        each((decoded, scratch) -> {
            int n = decoded.length;
            Bytes encoded = codec.encode(Bytes.of(decoded), scratch);
            assertRefused(codec, encoded, DecodedSize.exactly(n + 1L), scratch);
            if (n > 0) {
                assertRefused(codec, encoded, DecodedSize.exactly(n - 1L), scratch);
                assertRefused(codec, encoded, DecodedSize.atMost(n - 1L), scratch);
                assertRefused(codec, encoded, DecodedSize.exactly(n / 2), scratch);
                assertRefused(codec, encoded, DecodedSize.atMost(0), scratch);
            }
        });
    }

    private static void assertRefused(BytesToBytesCodec codec, Bytes encoded, DecodedSize size, Scratch scratch) {
        assertThrows(CorruptDataException.class, () -> codec.decode(encoded, size, scratch), () -> "expecting " + size);
    }

    @Test
    void decodePart_isThatOfTheWhole() {
        BytesToBytesCodec codec = codec();
        Random random = new Random(9);
        each((decoded, scratch) -> {
            int n = decoded.length;
            Bytes encoded = codec.encode(Bytes.of(decoded), scratch);
            for (int i = 0; i < PARTS; i++) {
                int from = random.nextInt(n + 1);
                int to = i == 0 ? n : from + random.nextInt(n - from + 1);
                ByteRange.Slice part = new ByteRange.Slice(from, to - from);
                Bytes found = codec.decodePart(encoded, new DecodedSize.Exact(n), part, scratch);
                assertArrayEquals(
                        Arrays.copyOfRange(decoded, from, to),
                        found.toArray(),
                        () -> "bytes " + from + " to " + to + " of " + n);
            }
        });
    }

    @Test
    void encodedSizes_areKept() {
        BytesToBytesCodec codec = codec();
        each((decoded, scratch) -> {
            long found = codec.encode(Bytes.of(decoded), scratch).size();
            OptionalLong said = codec.encodedSize(decoded.length);
            assertTrue(
                    said.isEmpty() || said.getAsLong() == found,
                    () -> bytes(decoded) + ": encodedSize " + said + ", is " + found);
            assertTrue(
                    found <= codec.maxEncodedSize(decoded.length), () -> bytes(decoded) + ": more than maxEncodedSize");
        });
    }

    @Test
    void borrowedInput_staysAsItIs() {
        BytesToBytesCodec codec = codec();
        each((decoded, scratch) -> {
            byte[] given = decoded.clone();
            byte[] encoded = encode(codec, given, scratch);
            assertArrayEquals(decoded, given, "encode changed its input");
            byte[] kept = encoded.clone();
            codec.decode(Bytes.of(encoded), DecodedSize.exactly(decoded.length), scratch);
            assertArrayEquals(kept, encoded, "decode changed its input");
        });
    }

    @Test
    void encode_result_isMemoryOfItsOwn() {
        BytesToBytesCodec codec = codec();
        try (Scratch scratch = new Scratch()) {
            byte[] given = SampleBytes.make(SampleBytes.Kind.SMOOTH, size(MEDIUM));
            Bytes encoded = codec.encode(Bytes.of(given), scratch);
            byte[] kept = encoded.toArray();
            Arrays.fill(given, (byte) 7);
            scratch.reset(0);
            codec.encode(Bytes.of(SampleBytes.make(SampleBytes.Kind.NOISE, size(MEDIUM))), scratch);
            assertArrayEquals(kept, encoded.toArray(), "an encoding changed when its input or the scratch was reused");
        }
    }

    @Test
    void decode_again_leavesEarlierResults() {
        BytesToBytesCodec codec = codec();
        try (Scratch scratch = new Scratch()) {
            byte[] first = SampleBytes.make(SampleBytes.Kind.SMOOTH, size(MEDIUM));
            byte[] second = SampleBytes.make(SampleBytes.Kind.NOISE, size(MEDIUM));
            Bytes a = codec.decode(Bytes.of(encode(codec, first, scratch)), DecodedSize.exactly(first.length), scratch);
            codec.decode(Bytes.of(encode(codec, second, scratch)), DecodedSize.exactly(second.length), scratch);
            assertArrayEquals(first, a.toArray(), "borrowed bytes changed before the scratch was reset");
        }
    }

    @Test
    void piecesAndSlices_areTakenLikeAnyOther() {
        BytesToBytesCodec codec = codec();
        each((decoded, scratch) -> {
            byte[] encoded = encode(codec, decoded, scratch);
            for (Bytes in : List.of(SampleBytes.inPieces(decoded), SampleBytes.inside(decoded))) {
                Bytes again = codec.encode(in, scratch);
                assertArrayEquals(
                        decoded, decode(codec, again, decoded.length, scratch), () -> "encoding " + bytes(decoded));
            }
            for (Bytes in : List.of(SampleBytes.inPieces(encoded), SampleBytes.inside(encoded))) {
                assertArrayEquals(
                        decoded, decode(codec, in, decoded.length, scratch), () -> "decoding " + bytes(decoded));
            }
        });
    }

    @Test
    void decode_truncated_isRefusedOrOfTheRightSize() {
        invalid().each(MutatedEncodings::truncate);
    }

    @Test
    void decode_turnedBits_isRefusedOrOfTheRightSize() {
        invalid().each(MutatedEncodings::flip);
    }

    private InvalidEncodings invalid() {
        return new InvalidEncodings(codec(), size(SMALL), size(MEDIUM));
    }

    @Test
    void oneInstance_servesThreadsAtOnce() throws InterruptedException {
        BytesToBytesCodec codec = codec();
        Parallel.run(thread -> {
            try (Scratch scratch = new Scratch()) {
                for (int i = 0; i < 60; i++) {
                    SampleBytes.Kind kind = SampleBytes.Kind.values()[(i + thread) % 3];
                    byte[] decoded = SampleBytes.make(kind, sizes()[(i + thread) % sizes().length]);
                    byte[] encoded = encode(codec, decoded, scratch);
                    assertArrayEquals(decoded, decode(codec, Bytes.of(encoded), decoded.length, scratch));
                    scratch.reset(0);
                }
            }
        });
    }

    @Test
    void open_givesTheDecodedBytes() {
        BytesToBytesCodec codec = codec();
        byte[] decoded = SampleBytes.make(SampleBytes.Kind.SMOOTH, size(MEDIUM));
        byte[] encoded;
        try (Scratch scratch = new Scratch()) {
            encoded = encode(codec, decoded, scratch);
        }
        PlanProbe probe = PlanProbe.over(Map.of("there", encoded));
        ByteRange.Slice middle = new ByteRange.Slice(decoded.length / 3, decoded.length / 2);
        byte[] found = probe.run(codec.open(Source.stored("there"), DecodedSize.exactly(decoded.length))
                .then(source -> source.read(
                        middle,
                        (answer, scratch) -> ((ReadResult.Found) answer).bytes().toArray())));
        assertArrayEquals(Arrays.copyOfRange(decoded, (int) middle.offset(), (int) middle.end()), found);
        String absent = probe.run(codec.open(Source.stored("elsewhere"), DecodedSize.exactly(decoded.length))
                .then(source -> source.read(ByteRange.whole(), (answer, scratch) -> answer.getClass()
                        .getSimpleName())));
        assertEquals("Absent", absent, "an absent object was opened");
    }
}
