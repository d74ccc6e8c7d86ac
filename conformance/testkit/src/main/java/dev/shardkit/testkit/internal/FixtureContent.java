package dev.shardkit.testkit.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Generates the content of the compressed streams that are committed as test resources, by the rule of
 * tools/make_frames.py, and loads such a stream.
 */
public final class FixtureContent {
    private FixtureContent() {}

    /** Returns the first {@code n} bytes of the content. */
    public static byte[] of(int n) {
        byte[] out = new byte[n + 64];
        int size = 0;
        for (long x = 1; size < n; ) {
            x = x * 1103515245 + 12345 & 0x7FFFFFFF;
            byte[] next = (x & 0x10000) != 0
                    ? ("shard " + (x >> 20) + " of the array; ").getBytes(StandardCharsets.US_ASCII)
                    : new byte[] {(byte) x, (byte) (x >> 8), (byte) (x >> 16), (byte) (x >> 24)};
            System.arraycopy(next, 0, out, size, next.length);
            size += next.length;
        }
        return Arrays.copyOf(out, n);
    }

    /** Returns the resource {@code name} in the package of {@code test}. */
    public static byte[] stream(Class<?> test, String name) {
        try (InputStream in = test.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
