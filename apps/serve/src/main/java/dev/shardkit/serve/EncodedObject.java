package dev.shardkit.serve;

import dev.shardkit.store.ObjectSnapshot;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * An object that the server has generated in memory and that no store contains, such as a chunk of a
 * {@link VirtualArray}. Its version is a hash of its bytes.
 */
record EncodedObject(byte[] bytes) implements ObjectSnapshot {
    @Override
    public String version() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public void read(long offset, ByteBuffer target) {
        target.put(bytes, (int) offset, target.remaining());
    }

    @Override
    public void close() {}
}
