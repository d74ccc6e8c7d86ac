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
 * The bytes-to-bytes codecs of a chain, in the order of encoding, with the sizes before and behind each of them.
 * Immutable, thread-safe.
 */
final class BytesToBytesChain {
    private final ChunkType type;
    private final List<BytesToBytesCodec> filters;
    private final DecodedSize[] sizes;
    private final Limits limits;

    BytesToBytesChain(ChunkType type, List<BytesToBytesCodec> filters, ChunkCodec middle, Limits limits) {
        this.type = type;
        this.filters = List.copyOf(filters);
        this.limits = limits;
        this.sizes = new DecodedSize[filters.size() + 1];
        sizes[0] = middle.encodedSize().isPresent()
                ? DecodedSize.exactly(middle.encodedSize().getAsLong())
                : DecodedSize.atMost(Math.min(middle.maxEncodedSize(), limits.chunkBytes()));
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

    /** Returns the size before the first filter. */
    DecodedSize sizeOfChunk() {
        return sizes[0];
    }

    /** Returns the size behind the last filter. */
    DecodedSize size() {
        return sizes[filters.size()];
    }

    /** Returns the room to reserve behind the last filter, for {@code size} bytes before the first. */
    OptionalLong reserved(OptionalLong size) {
        OptionalLong reserved = size;
        for (BytesToBytesCodec f : filters) {
            reserved = reserved.isPresent() ? f.reservedSize(reserved.getAsLong()) : reserved;
        }
        return reserved;
    }

    Bytes encode(Bytes bytes, Scratch scratch) {
        Bytes b = bytes;
        for (BytesToBytesCodec f : filters) {
            b = f.encode(b, scratch);
        }
        return b;
    }

    Bytes decode(Bytes encoded, Scratch scratch) {
        return decode(encoded, 0, scratch);
    }

    /** Decodes all filters but the first; {@link #decodePart} follows. */
    Bytes decodeToFirst(Bytes encoded, Scratch scratch) {
        return decode(encoded, 1, scratch);
    }

    private Bytes decode(Bytes encoded, int firstFilter, Scratch scratch) {
        Bytes b = encoded;
        for (int i = filters.size() - 1; i >= firstFilter; i--) {
            b = decode(filters.get(i), b, limits.believed(sizes[i], type, encoded.size()), scratch);
        }
        return b;
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
     * A RuntimeException of a codec means that the bytes are invalid. The decoded size is checked here, whether or not
     * the codec checks it.
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

    private DecodedSize size(int i, Source encoded) {
        return encoded.size().isPresent()
                ? limits.believed(sizes[i], type, encoded.size().getAsLong())
                : sizes[i];
    }
}
