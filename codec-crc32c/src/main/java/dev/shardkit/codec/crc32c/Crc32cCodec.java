package dev.shardkit.codec.crc32c;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Appends the CRC-32C of the bytes as four bytes, little-endian (Zarr v3 codec {@code crc32c}, RFC 3720, section B.4).
 * Decoding verifies the checksum and returns a slice of the input, without copying. Detects accidental changes only,
 * not deliberate ones. Immutable and thread-safe.
 */
public final class Crc32cCodec implements BytesToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "crc32c";

    private static final int CHECKSUM_BYTES = 4;
    /** The length of the longest array that every JVM can allocate. */
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    /** Creates the codec, which has no configuration. */
    public Crc32cCodec() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        int crc = crc(decoded);
        if (decoded.size() > LARGEST_ARRAY - CHECKSUM_BYTES) {
            // Too large for one array, so the checksum becomes a piece of its own.
            ByteBuffer checksum =
                    littleEndian(ByteBuffer.allocate(CHECKSUM_BYTES)).putInt(0, crc);
            return Bytes.concat(List.of(decoded.copy(), Bytes.of(checksum)));
        }
        ByteBuffer out = littleEndian(ByteBuffer.allocate((int) decoded.size() + CHECKSUM_BYTES));
        decoded.pieces().forEach(out::put);
        return Bytes.of(out.putInt(crc).flip());
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (encoded.size() < CHECKSUM_BYTES) {
            throw new CorruptDataException(
                    "crc32c: expected at least the 4 bytes of the checksum, found " + encoded.size());
        }
        long size = encoded.size() - CHECKSUM_BYTES;
        expected.check(size, "crc32c decoded");
        Bytes content = encoded.slice(0, size);
        int stored = littleEndian(encoded.slice(size, CHECKSUM_BYTES).buffer()).getInt(0);
        int computed = crc(content);
        if (stored != computed) {
            throw new ChecksumException(
                    String.format("crc32c of %d bytes: stored 0x%08x, computed 0x%08x", size, stored, computed));
        }
        return content;
    }

    @Override
    public OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.of(Math.addExact(decodedSize, CHECKSUM_BYTES));
    }

    private static int crc(Bytes bytes) {
        CRC32C crc = new CRC32C();
        bytes.pieces().forEach(crc::update);
        return (int) crc.getValue();
    }

    private static ByteBuffer littleEndian(ByteBuffer buffer) {
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Crc32cCodec;
    }

    @Override
    public int hashCode() {
        return NAME.hashCode();
    }

    @Override
    public String toString() {
        return NAME;
    }
}
