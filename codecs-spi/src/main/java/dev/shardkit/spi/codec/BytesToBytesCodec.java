package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.OptionalLong;

/**
 * A codec that turns bytes into other bytes: a compressor or a checksum. Authors implement {@link #encode} and
 * {@link #decode}; the methods for parts have defaults that process the whole value. Immutable and thread-safe:
 * reusable state belongs in the {@link Scratch}.
 */
public non-sealed interface BytesToBytesCodec extends Codec {
    /** Returns this codec for chunks of {@code type}; most codecs return themselves. */
    default BytesToBytesCodec bind(ChunkType type) {
        return this;
    }

    /** Encodes into newly allocated memory. */
    Bytes encode(Bytes decoded, Scratch scratch);

    /**
     * Decodes. The result may be borrowed from {@code scratch} or share the memory of {@code encoded}.
     *
     * @param expected the decoded size; implementations allocate no more and reject any other size
     * @throws CorruptDataException if {@code encoded} is not a valid encoding of such a value; callers treat other
     *     RuntimeExceptions as this one
     */
    Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch);

    /**
     * Decodes {@code part} of a value and returns only those bytes, borrowed or shared as in {@link #decode}. The
     * default decodes the whole value. A codec that can stop early or skip preceding bytes may do so, and then need not
     * detect errors in the rest. If a checksum of the content is stored, the codec must decode and check everything.
     *
     * @param expected the decoded size of the whole value
     * @param part the part of the decoded value
     * @throws CorruptDataException as {@link #decode} does
     */
    default Bytes decodePart(Bytes encoded, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
        Bytes decodedValue = decode(encoded, expected, scratch);
        expected.check(decodedValue.size(), name() + " decoded");
        return decodedValue.slice(part);
    }

    /** Returns the size of the encoding of {@code decodedSize} bytes; empty if it depends on the bytes. */
    default OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.empty();
    }

    /**
     * Returns the room that a shard reserves for each encoding of {@code decodedSize} bytes
     * ({@link ShardWritePolicy.Allocation#WHOLE}): {@link #encode} never returns more. Empty if there is no such bound,
     * or if it is not worth reserving; by default the fixed size.
     */
    default OptionalLong reservedSize(long decodedSize) {
        return encodedSize(decodedSize);
    }

    /** Returns an upper bound on the size of any valid encoding of {@code decodedSize} bytes, for any writer. */
    default long maxEncodedSize(long decodedSize) {
        return encodedSize(decodedSize).orElse(2 * decodedSize + (64 << 10));
    }

    /**
     * Opens an encoded source. By default, the whole source is read and decoded once; codecs that can seek may read
     * less.
     */
    default Plan<Source> open(Source encoded, DecodedSize expected) {
        ByteRange range = ByteRange.whole(maxEncodedSize(expected.maxBytes()));
        return encoded.read(
                range,
                (result, scratch) -> result instanceof ReadResult.Found f
                        ? Source.of(decode(f.bytes(), expected, scratch).copy(), encoded.location())
                        : Source.absent(encoded.location()));
    }
}
