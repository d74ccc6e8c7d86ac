package dev.shardkit.testkit.extension;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.testkit.internal.Rounds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assertions;

/**
 * Truncates a valid encoding, or flips its bits, and checks that decoding ends with an allowed result or a declared
 * error.
 */
final class MutatedEncodings {
    private static final int FLIPS = Rounds.of(100);
    private static final int TRUNCATIONS = Rounds.of(60);

    private MutatedEncodings() {}

    /** Decodes; fails by assertion if the result is wrong. */
    interface Decode {
        void run(byte[] encoded);
    }

    /** Tries every shorter prefix of a short encoding, and many prefixes of a long one. */
    static void truncate(byte[] encoded, String what, Decode decode) {
        for (int i = 0; i < Math.min(encoded.length, TRUNCATIONS); i++) {
            int length = (int) ((long) i * encoded.length / Math.min(encoded.length, TRUNCATIONS));
            attempt(
                    Arrays.copyOf(encoded, length),
                    what + " cut to " + length + " of " + encoded.length + " bytes",
                    decode);
        }
    }

    /** Flips one bit, or a few. */
    static void flip(byte[] encoded, String what, Decode decode) {
        Random random = new Random(encoded.length);
        for (int i = 0; i < FLIPS && encoded.length > 0; i++) {
            byte[] bad = encoded.clone();
            int first = random.nextInt(8 * bad.length);
            for (int k = 0; k <= i % 3; k++) {
                int bit = k == 0 ? first : random.nextInt(8 * bad.length);
                bad[bit / 8] ^= (byte) (1 << bit % 8);
            }
            attempt(bad, what + " with bit " + first + (i % 3 > 0 ? " and others" : "") + " turned", decode);
        }
    }

    private static void attempt(byte[] bad, String what, Decode decode) {
        try {
            decode.run(bad);
        } catch (CorruptDataException | UnsupportedException e) {
            Assertions.assertFalse(e.fact().isBlank(), what + ": an error without a message");
        } catch (RuntimeException e) {
            Assertions.fail(what + ": expected CorruptDataException or UnsupportedException, found " + e, e);
        }
    }
}
