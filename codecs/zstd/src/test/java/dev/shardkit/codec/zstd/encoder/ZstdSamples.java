package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.testkit.internal.FixtureContent;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Bytes of many kinds for an encoder; the same at every run. */
enum ZstdSamples {
    ZEROS,
    NOISE,
    TEXT,
    WORDS,
    /** A byte, and never again. */
    ALMOST_ZEROS,
    SMOOTH16,
    SMOOTH32,
    PERIODIC,
    /** Counts that double from symbol to symbol: the longest codes. */
    SKEWED,
    TWO_SYMBOLS,
    ALL_SYMBOLS,
    HIGH_SYMBOLS,
    SHORT_MATCHES;

    private static final String[] WORDS_OF_TEXT =
            ("the shard holds its inner chunks in any order and an index says where"
                            + " each of them lies so that one is read without the others")
                    .split(" ");

    /** {@code n} bytes of the kind. */
    byte[] make(int n) {
        Random random = new Random(31L * ordinal() + n);
        byte[] bytes = new byte[n];
        switch (this) {
            case ZEROS -> {}
            case NOISE -> random.nextBytes(bytes);
            case TEXT -> System.arraycopy(FixtureContent.of(n), 0, bytes, 0, n);
            case WORDS -> words(bytes, random);
            case ALMOST_ZEROS -> {
                if (n > 0) {
                    bytes[n / 2] = 1;
                }
            }
            case SMOOTH16 -> smooth(bytes, random, 2);
            case SMOOTH32 -> smooth(bytes, random, 4);
            case PERIODIC -> periodic(bytes, random);
            case SHORT_MATCHES -> shortMatches(bytes, random);
            default -> {
                for (int i = 0; i < n; i++) {
                    bytes[i] = symbol(random);
                }
            }
        }
        return bytes;
    }

    private byte symbol(Random random) {
        return (byte)
                switch (this) {
                    case SKEWED -> Integer.numberOfTrailingZeros(random.nextInt() | 1 << 24);
                    case TWO_SYMBOLS -> random.nextInt(5) == 0 ? 'b' : 'a';
                    case ALL_SYMBOLS -> (int) (256 * Math.pow(random.nextDouble(), 2.5));
                    default -> 255 - (int) Math.min(200, -20 * Math.log(random.nextDouble()));
                };
    }

    private static void words(byte[] bytes, Random random) {
        StringBuilder text = new StringBuilder();
        while (text.length() < bytes.length) {
            text.append(WORDS_OF_TEXT[random.nextInt(WORDS_OF_TEXT.length)])
                    .append(random.nextInt(9) == 0 ? ".\n" : " ");
        }
        System.arraycopy(text.toString().getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, bytes.length);
    }

    /** Little-endian numbers that grow and shrink slowly, with some bits of noise. */
    private static void smooth(byte[] bytes, Random random, int width) {
        for (int i = 0; i < bytes.length; i++) {
            int value = (int) ((600 + 400 * Math.sin(i / width / 40.0)) * (width == 2 ? 1 : 70_000));
            bytes[i] = (byte) ((value >> 8 * (i % width)) + (i % width == 0 ? random.nextInt(16) : 0));
        }
    }

    private static void periodic(byte[] bytes, Random random) {
        int period = 1 + random.nextInt(70);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = i < period || random.nextInt(100) == 0 ? (byte) random.nextInt() : bytes[i - period];
        }
    }

    private static void shortMatches(byte[] bytes, Random random) {
        byte[] tokens = new byte[4 * 300];
        random.nextBytes(tokens);
        for (int i = 0; i < bytes.length; i += 4) {
            System.arraycopy(tokens, 4 * random.nextInt(300), bytes, i, Math.min(4, bytes.length - i));
        }
    }
}
