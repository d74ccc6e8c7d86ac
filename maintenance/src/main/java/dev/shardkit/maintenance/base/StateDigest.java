package dev.shardkit.maintenance.base;

import dev.shardkit.maintenance.copy.Destination;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** A SHA-256 digest of texts and documents that identify the state of a source. Used by one thread. */
public final class StateDigest {
    /** The length of a digest in hexadecimal. */
    public static final int LENGTH = 64;

    /** The longest text after the digest: the path of the source of a pyramid. */
    private static final int MAX_TEXT = 1 << 16;

    private final MessageDigest digest;

    /** Creates a digest of nothing. */
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

    /**
     * Returns the digest in hexadecimal, in ASCII, as {@link Destination#begin} stores it. Nothing can be added
     * afterwards.
     */
    public Bytes bytes() {
        return Bytes.of(text().getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads the digest under {@code key}, with the text after it; no bytes if the object cannot be one. */
    public static Optional<Bytes> read(StoreAccess store, String key) throws IOException {
        return StoredObjects.find(store, key, object -> {
            if (object.size() < LENGTH || object.size() > LENGTH + MAX_TEXT) {
                return Bytes.EMPTY;
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) object.size());
            object.read(0, bytes);
            return Bytes.of(bytes.array());
        });
    }
}
