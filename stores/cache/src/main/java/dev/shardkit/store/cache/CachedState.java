package dev.shardkit.store.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The last known state of an object in the cached remote store. The cache keeps it in a file: magic, name, version,
 * size, and the CRC-32C of these. The length in bytes precedes the name and the version. An absent object has no
 * version, and the length -1 in its place. Immutable.
 *
 * @param version the object's version; empty if there was no object
 * @param size the object's size in bytes
 */
record CachedState(Optional<String> version, long size) {
    /** The maximum size of a state's file in bytes. Objects with longer names are not cached. */
    static final int MAX = 64 << 10;

    static final CachedState ABSENT = new CachedState(Optional.empty(), 0);

    private static final byte[] MAGIC = "SKSTATE1".getBytes(StandardCharsets.US_ASCII);
    private static final int FIXED = MAGIC.length + 4 + 4 + 8 + 4; // magic, two lengths, size, checksum

    boolean isAbsent() {
        return version.isEmpty();
    }

    /** Returns the content of the file with this state of the object {@code name}. */
    byte[] encoded(String name) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] versionBytes = version.orElse("").getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(FIXED + nameBytes.length + versionBytes.length);
        file.put(MAGIC).putInt(nameBytes.length).put(nameBytes);
        file.putInt(isAbsent() ? -1 : versionBytes.length).put(versionBytes).putLong(size);
        return file.putInt(crc(file.array(), file.position())).array();
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** Returns the state in a file of the object {@code name}; empty if the file is anything else. */
    static Optional<CachedState> of(byte[] file, String name) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        if (file.length < FIXED + nameBytes.length
                || !Arrays.equals(MAGIC, Arrays.copyOf(file, MAGIC.length))
                || ByteBuffer.wrap(file, file.length - 4, 4).getInt() != crc(file, file.length - 4)) {
            return Optional.empty();
        }
        ByteBuffer body = ByteBuffer.wrap(file, MAGIC.length, file.length - 4 - MAGIC.length);
        byte[] storedName = new byte[nameBytes.length];
        if (body.getInt() != nameBytes.length) {
            return Optional.empty();
        }
        body.get(storedName);
        int length = body.getInt();
        if (!Arrays.equals(nameBytes, storedName) || body.remaining() != Math.max(length, 0) + 8) {
            return Optional.empty();
        }
        byte[] version = new byte[Math.max(length, 0)];
        body.get(version);
        long size = body.getLong();
        return size < 0
                ? Optional.empty()
                : Optional.of(
                        length < 0
                                ? ABSENT
                                : new CachedState(Optional.of(new String(version, StandardCharsets.UTF_8)), size));
    }

    /** Returns the name of the object in a file; empty if the file does not hold a valid state. */
    static Optional<String> name(byte[] file) {
        if (file.length < FIXED) {
            return Optional.empty();
        }
        int length = ByteBuffer.wrap(file, MAGIC.length, 4).getInt();
        if (length < 0 || length > file.length - FIXED) {
            return Optional.empty();
        }
        String name = new String(file, MAGIC.length + 4, length, StandardCharsets.UTF_8);
        return of(file, name).map(state -> name);
    }
}
