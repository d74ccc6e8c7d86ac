package dev.shardkit.store.cloud;

import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/** Computes and compares CRC32C checksums in the text form of the clouds: four bytes, big-endian, in base64. */
public final class Crc32cBase64 {
    private Crc32cBase64() {}

    /** Returns the checksum of all bytes of the pieces; their positions stay. */
    public static String of(List<ByteBuffer> pieces) {
        CRC32C crc = new CRC32C();
        pieces.forEach(piece -> crc.update(piece.duplicate()));
        byte[] value = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
        return Base64.getEncoder().encodeToString(value);
    }

    /** Compares an object with the server's checksum. Returns the difference, for messages; empty if they are equal. */
    public static Optional<String> mismatch(String expected, Bytes object) {
        String actual = of(object.pieces());
        return actual.equals(expected)
                ? Optional.empty()
                : Optional.of("expected CRC32C " + ErrorResponse.plain(expected, Set.of()) + ", found " + actual);
    }
}
