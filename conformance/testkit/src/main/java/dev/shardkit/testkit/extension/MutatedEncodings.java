package dev.shardkit.testkit.extension;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.testkit.internal.Rounds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assertions;

/**
 * Truncates a valid encoding, or flips its bits, and checks that decoding ends with an allowed result or a declared
 * error. Stateless.
 */
final class MutatedEncodings {
    /** The number of encodings with flipped bits. */
    private static final int FLIPS = Rounds.of(100);
    /** The maximum number of truncated encodings. */
    private static final int TRUNCATIONS = Rounds.of(60);

    private MutatedEncodings() {}

    /** Decodes an encoding; throws an {@link AssertionError} if the result is wrong. */
    interface Decode {
        void run(byte[] encoded);
    }

    /** Tries every shorter prefix of a short encoding, and many prefixes of a long one. */
    static void truncate(byte[] encoded, String description, Decode decode) {
        for (int i = 0; i < Math.min(encoded.length, TRUNCATIONS); i++) {
            int length = (int) ((long) i * encoded.length / Math.min(encoded.length, TRUNCATIONS));
            attempt(
                    Arrays.copyOf(encoded, length),
                    description + " cut to " + length + " of " + encoded.length + " bytes",
                    decode);
        }
    }

    /** Flips one to three random bits. */
    static void flip(byte[] encoded, String description, Decode decode) {
        Random random = new Random(encoded.length);
        for (int i = 0; i < FLIPS && encoded.length > 0; i++) {
            byte[] bad = encoded.clone();
            int first = random.nextInt(8 * bad.length);
            for (int k = 0; k <= i % 3; k++) {
                int bit = k == 0 ? first : random.nextInt(8 * bad.length);
                bad[bit / 8] ^= (byte) (1 << bit % 8);
            }
            attempt(bad, description + " with bit " + first + (i % 3 > 0 ? " and others" : "") + " turned", decode);
        }
    }

    /** Decodes an invalid encoding; errors other than the declared ones fail the test. */
    private static void attempt(byte[] bad, String description, Decode decode) {
        try {
            decode.run(bad);
        } catch (CorruptDataException | UnsupportedException e) {
            Assertions.assertFalse(e.fact().isBlank(), description + ": an error without a message");
        } catch (RuntimeException e) {
            Assertions.fail(description + ": expected CorruptDataException or UnsupportedException, found " + e, e);
        }
    }
}
