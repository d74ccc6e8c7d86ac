package dev.shardkit.maintenance;

import dev.shardkit.spi.plan.Bytes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over texts and documents that together say in which state a source is. Used by one thread. */
final class StateDigest {
    /** The length of a digest in hexadecimal. */
    static final int LENGTH = 64;

    private final MessageDigest digest;

    StateDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    void add(String line) {
        add((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void add(byte[] document) {
        digest.update(document);
    }

    /** The digest in hexadecimal; nothing can be added afterwards. */
    String text() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** {@link #text} in ASCII, as it is stored. */
    Bytes bytes() {
        return Bytes.of(text().getBytes(StandardCharsets.US_ASCII));
    }
}
