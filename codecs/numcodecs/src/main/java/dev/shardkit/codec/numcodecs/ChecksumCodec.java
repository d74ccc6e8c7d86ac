package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.bytes.HeapBytes;
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

/**
 * A codec that stores a 32-bit checksum, little-endian, before or after the bytes, and checks it on decoding. Immutable
 * and thread-safe.
 *
 * @param name the name in the metadata
 * @param configuration the configuration in the metadata
 * @param checksum computes the checksum
 * @param location where the checksum is
 */
record ChecksumCodec(String name, Json.Obj configuration, Checksum checksum, Location location)
        implements BytesToBytesCodec {
    private static final int SIZE = 4;

    /** Where the checksum is. */
    enum Location {
        START,
        END
    }

    /** Computes the checksum of {@code in[from]} to {@code in[to - 1]}. */
    @FunctionalInterface
    interface Checksum {
        int of(byte[] in, int from, int to);
    }

    @Override
    public OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.of(decodedSize + SIZE);
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, name);
        Bytes sum = Bytes.of(ByteBuffer.allocate(SIZE)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(checksum.of(in.array(), in.from(), in.to()))
                .flip());
        Bytes content = decoded.copy();
        return Bytes.concat(location == Location.START ? List.of(sum, content) : List.of(content, sum));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, name);
        if (in.size() < SIZE) {
            throw new CorruptDataException(name + ": expected at least 4 bytes, found " + in.size());
        }
        expected.check(in.size() - SIZE, name + " decoded");
        boolean atStart = location == Location.START;
        int from = in.from() + (atStart ? SIZE : 0);
        int to = in.to() - (atStart ? 0 : SIZE);
        int stored = ByteBuffer.wrap(in.array()).order(ByteOrder.LITTLE_ENDIAN).getInt(atStart ? in.from() : to);
        int computed = checksum.of(in.array(), from, to);
        if (stored != computed) {
            throw new ChecksumException(
                    String.format("%s: the stored checksum is %08x, the bytes have %08x", name, stored, computed));
        }
        return Bytes.of(in.array(), from, to - from);
    }
}
