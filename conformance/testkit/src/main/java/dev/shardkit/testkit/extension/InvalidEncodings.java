package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.SampleBytes;

/** Checks that a bytes-to-bytes codec refuses invalid encodings, or decodes them to the right size. */
final class InvalidEncodings {
    private final BytesToBytesCodec codec;
    private final int[] sizes;

    /** Checks {@code codec} with valid encodings of these sizes, made invalid. */
    InvalidEncodings(BytesToBytesCodec codec, int... sizes) {
        this.codec = codec;
        this.sizes = sizes;
    }

    /** Makes an encoding invalid in many ways, and decodes each. */
    interface Attack {
        void run(byte[] encoded, String what, MutatedEncodings.Decode decode);
    }

    void each(Attack attack) {
        try (Scratch scratch = new Scratch()) {
            for (SampleBytes.Kind kind : SampleBytes.Kind.values()) {
                for (int n : sizes) {
                    byte[] decoded = SampleBytes.make(kind, n);
                    byte[] good = codec.encode(Bytes.of(decoded), scratch).toArray();
                    attack(good, n + " bytes of " + kind, n, attack, scratch);
                    assertArrayEquals(
                            decoded, decode(good, n, scratch).toArray(), "a valid encoding after invalid ones");
                }
            }
        }
    }

    private void attack(byte[] good, String what, int n, Attack attack, Scratch scratch) {
        attack.run(good, what, bad -> {
            scratch.reset(0);
            assertEquals(n, decode(bad, n, scratch).size(), "decoded size");
        });
        attack.run(good, what, bad -> {
            scratch.reset(0);
            Bytes found = codec.decode(Bytes.of(bad), DecodedSize.atMost(n), scratch);
            assertTrue(found.size() <= n, "more than allowed");
        });
        ByteRange.Slice part = new ByteRange.Slice(n / 3, n / 4);
        attack.run(good, "a part of " + what, bad -> {
            scratch.reset(0);
            Bytes found = codec.decodePart(Bytes.of(bad), new DecodedSize.Exact(n), part, scratch);
            assertEquals(part.length(), found.size(), "the size of a part");
            assertNoChecksumIsWrong(bad, n, scratch);
        });
    }

    private Bytes decode(byte[] encoded, int size, Scratch scratch) {
        return codec.decode(Bytes.of(encoded), DecodedSize.exactly(size), scratch);
    }

    /** Decoding a part may ignore faults in the rest, but must check a checksum. */
    private void assertNoChecksumIsWrong(byte[] encoded, int size, Scratch scratch) {
        try {
            decode(encoded, size, scratch);
        } catch (ChecksumException e) {
            throw new AssertionError("a part was decoded although its checksum does not match", e);
        } catch (RuntimeException e) {
            return; // another fault outside the part
        }
    }
}
