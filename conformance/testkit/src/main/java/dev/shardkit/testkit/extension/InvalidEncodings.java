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

/**
 * Checks that a bytes-to-bytes codec refuses invalid encodings, or decodes them to the right size. Used by the contract
 * of these codecs.
 */
final class InvalidEncodings {
    private final BytesToBytesCodec codec;
    private final int[] sizes;

    /** Creates checks of {@code codec} with content of these sizes. */
    InvalidEncodings(BytesToBytesCodec codec, int... sizes) {
        this.codec = codec;
        this.sizes = sizes;
    }

    /** Makes an encoding invalid in many ways, and decodes each. */
    interface Attack {
        void run(byte[] encoded, String description, MutatedEncodings.Decode decode);
    }

    /** Runs an attack on encodings of each kind and size of content. */
    void each(Attack attack) {
        try (Scratch scratch = new Scratch()) {
            for (SampleBytes.Kind kind : SampleBytes.Kind.values()) {
                for (int size : sizes) {
                    byte[] decoded = SampleBytes.make(kind, size);
                    byte[] good = codec.encode(Bytes.of(decoded), scratch).toArray();
                    attack(good, size + " bytes of " + kind, size, attack, scratch);
                    assertArrayEquals(
                            decoded, decode(good, size, scratch).toArray(), "a valid encoding after invalid ones");
                }
            }
        }
    }

    /** Runs an attack on decoding with an exact size, with a maximum size, and of a part. */
    private void attack(byte[] good, String description, int size, Attack attack, Scratch scratch) {
        attack.run(good, description, bad -> {
            scratch.reset(0);
            assertEquals(size, decode(bad, size, scratch).size(), "decoded size");
        });
        attack.run(good, description, bad -> {
            scratch.reset(0);
            Bytes found = codec.decode(Bytes.of(bad), DecodedSize.atMost(size), scratch);
            assertTrue(found.size() <= size, "more than allowed");
        });
        ByteRange.Slice part = new ByteRange.Slice(size / 3, size / 4);
        attack.run(good, "a part of " + description, bad -> {
            scratch.reset(0);
            Bytes found = codec.decodePart(Bytes.of(bad), new DecodedSize.Exact(size), part, scratch);
            assertEquals(part.length(), found.size(), "the size of a part");
            assertNoChecksumIsWrong(bad, size, scratch);
        });
    }

    private Bytes decode(byte[] encoded, int size, Scratch scratch) {
        return codec.decode(Bytes.of(encoded), DecodedSize.exactly(size), scratch);
    }

    /** Fails if a checksum does not match. Decoding a part may ignore faults in the rest, but must check a checksum. */
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
