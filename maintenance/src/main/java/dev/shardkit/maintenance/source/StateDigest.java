package dev.shardkit.maintenance.source;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes a SHA-256 digest of texts and documents that identify the state of a source. A run compares digests to
 * decide whether it may resume an interrupted one. Used by one thread.
 */
public final class StateDigest {
    /** The number of hexadecimal digits of a digest. */
    public static final int LENGTH = 64;

    private final MessageDigest digest;

    /** Creates a digest without content. */
    public StateDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Adds a line of text. */
    public void add(String line) {
        add((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a document. */
    public void add(byte[] document) {
        digest.update(document);
    }

    /** Returns the digest in hexadecimal. Nothing can be added afterwards. */
    public String text() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
