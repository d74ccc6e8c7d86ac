package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The bytes-to-bytes codecs of a chain (the filters), in the order of encoding, and the sizes of the bytes between
 * them. Immutable, thread-safe.
 */
final class BytesToBytesChain {
    private final ChunkType type;
    private final List<BytesToBytesCodec> filters;
    /** Entry i is the size of filter i's input in encoding; the last entry is the size of the stored bytes. */
    private final DecodedSize[] sizes;

    private final Limits limits;

    BytesToBytesChain(ChunkType type, List<BytesToBytesCodec> filters, ChunkCodec arrayToBytes, Limits limits) {
        this.type = type;
        this.filters = List.copyOf(filters);
        this.limits = limits;
        this.sizes = new DecodedSize[filters.size() + 1];
        sizes[0] = arrayToBytes.encodedSize().isPresent()
                ? DecodedSize.exactly(arrayToBytes.encodedSize().getAsLong())
                : DecodedSize.atMost(Math.min(arrayToBytes.maxEncodedSize(), limits.chunkBytes()));
        for (int i = 0; i < filters.size(); i++) {
            OptionalLong exact =
                    sizes[i].isExact() ? filters.get(i).encodedSize(sizes[i].maxBytes()) : OptionalLong.empty();
            sizes[i + 1] = exact.isPresent()
                    ? DecodedSize.exactly(exact.getAsLong())
                    : DecodedSize.atMost(
                            Math.min(filters.get(i).maxEncodedSize(sizes[i].maxBytes()), limits.chunkBytes()));
        }
    }

    boolean isEmpty() {
        return filters.isEmpty();
    }

    BytesToBytesCodec first() {
        return filters.get(0);
    }

    /** Returns the size of the bytes that the first filter encodes. */
    DecodedSize sizeOfChunk() {
        return sizes[0];
    }

    /** Returns the size of the output of the last filter. */
    DecodedSize size() {
        return sizes[filters.size()];
    }

    /**
     * Returns the room to reserve for the output of the last filter if the first one encodes {@code size} bytes. Empty
     * if {@code size} is empty, or if a filter has no largest size.
     */
    OptionalLong reserved(OptionalLong size) {
        OptionalLong reserved = size;
        for (BytesToBytesCodec f : filters) {
            reserved = reserved.isPresent() ? f.reservedSize(reserved.getAsLong()) : reserved;
        }
        return reserved;
    }

    Bytes encode(Bytes bytes, Scratch scratch) {
        Bytes result = bytes;
        for (BytesToBytesCodec f : filters) {
            result = f.encode(result, scratch);
        }
        return result;
    }

    Bytes decode(Bytes encoded, Scratch scratch) {
        return decode(encoded, 0, scratch);
    }

    /** Decodes all filters but the first; {@link #decodePart} follows. */
    Bytes decodeToFirst(Bytes encoded, Scratch scratch) {
        return decode(encoded, 1, scratch);
    }

    private Bytes decode(Bytes encoded, int firstFilter, Scratch scratch) {
        Bytes result = encoded;
        for (int i = filters.size() - 1; i >= firstFilter; i--) {
            result = decode(filters.get(i), result, limits.believed(sizes[i], type, encoded.size()), scratch);
        }
        return result;
    }

    /** Decodes a part of the first filter's input. */
    Bytes decodePart(Bytes encoded, ByteRange.Slice part, Scratch scratch) {
        DecodedSize.Exact size = (DecodedSize.Exact) sizes[0];
        return decoded(
                filters.get(0),
                encoded,
                f -> f.decodePart(encoded, size, part, scratch),
                DecodedSize.exactly(part.length()));
    }

    private static Bytes decode(BytesToBytesCodec codec, Bytes encoded, DecodedSize expected, Scratch scratch) {
        return decoded(codec, encoded, f -> f.decode(encoded, expected, scratch), expected);
    }

    /**
     * Runs a codec. A RuntimeException of the codec means that the bytes are invalid. The decoded size is checked here,
     * whether or not the codec checks it.
     */
    private static Bytes decoded(
            BytesToBytesCodec codec, Bytes encoded, Function<BytesToBytesCodec, Bytes> decoding, DecodedSize expected) {
        try {
            Bytes decoded = decoding.apply(codec);
            expected.check(decoded.size(), codec.name() + " decoded");
            return decoded;
        } catch (ZarrException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CorruptDataException(codec.name() + " cannot decode " + encoded + ": " + e, e);
        }
    }

    /** Returns the source of the bytes that the filters decode to. */
    Plan<Source> open(Source encoded) {
        Plan<Source> plan = Plan.done(encoded);
        for (int i = filters.size() - 1; i >= 0; i--) {
            int filter = i;
            plan = plan.then(
                    s -> s.isAbsent() ? Plan.done(s) : filters.get(filter).open(s, size(filter, encoded)));
        }
        return plan;
    }

    /** Returns the size that filter {@code i} must decode to, as far as it is believed of a source of this size. */
    private DecodedSize size(int i, Source encoded) {
        return encoded.size().isPresent()
                ? limits.believed(sizes[i], type, encoded.size().getAsLong())
                : sizes[i];
    }
}
