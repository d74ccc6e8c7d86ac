package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.OptionalLong;

/**
 * A codec that makes other bytes of bytes: a compressor, a checksum. An author writes {@link #encode} and
 * {@link #decode} and stops; whatever concerns parts has a whole-value default. Immutable and thread-safe: state worth
 * keeping lives in the {@link Scratch}.
 */
public non-sealed interface BytesToBytesCodec extends Codec {
    /** This codec for chunks of {@code type}; most do not care. */
    default BytesToBytesCodec bind(ChunkType type) {
        return this;
    }

    /** Encodes; the result is memory of its own. */
    Bytes encode(Bytes decoded, Scratch scratch);

    /**
     * Decodes. The result may be borrowed from {@code scratch} or share {@code encoded}.
     *
     * @param expected what it must decode to: allocate no more, and refuse anything else
     * @throws CorruptDataException if {@code encoded} is no encoding of such a value; a RuntimeException of another
     *     kind is taken for the same
     */
    Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch);

    /**
     * Decodes {@code part} of a value: gives those bytes alone, borrowed or shared as those of {@link #decode}. By
     * default everything is decoded. A codec that can stop early, or leave out what comes before, may do so, and then
     * need not see what is wrong with the rest; but where a checksum of the content is stored, everything is decoded
     * and it is checked.
     *
     * @param expected what the whole of it must decode to
     * @param part a part of that
     * @throws CorruptDataException as {@link #decode} does
     */
    default Bytes decodePart(Bytes encoded, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
        Bytes whole = decode(encoded, expected, scratch);
        expected.check(whole.size(), name() + " decoded");
        return whole.slice(part);
    }

    /** The size of the encoding of {@code decodedSize} bytes, for codecs where it does not depend on the bytes. */
    default OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.empty();
    }

    /** A bound on the size of any legal encoding of {@code decodedSize} bytes, whoever wrote it; generous. */
    default long maxEncodedSize(long decodedSize) {
        return encodedSize(decodedSize).orElse(2 * decodedSize + (64 << 10));
    }

    /** Opens an encoded source: by default it is read and decoded whole, once. A codec that can seek may do better. */
    default Plan<Source> open(Source encoded, DecodedSize expected) {
        ByteRange all = ByteRange.whole(maxEncodedSize(expected.most()));
        return encoded.read(
                all,
                (answer, scratch) -> answer instanceof Answer.Found f
                        ? Source.of(decode(f.bytes(), expected, scratch).copy(), encoded.place())
                        : Source.absent(encoded.place()));
    }
}
