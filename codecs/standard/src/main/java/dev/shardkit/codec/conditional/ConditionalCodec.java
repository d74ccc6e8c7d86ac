package dev.shardkit.codec.conditional;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import java.util.OptionalLong;

/**
 * The {@code conditional} codec of zarr-extensions: each chunk starts with a header, whose bits say for each inner
 * codec whether it was applied. Writing always applies codecs of a fixed encoded size, such as shuffles and checksums.
 * It applies each other codec only if this makes the chunk smaller. So an encoding is never larger than the chunk, its
 * checksums and the header, and a shard can reserve this size for each inner chunk. Immutable and thread-safe.
 *
 * @param codecs the inner codecs in the order of encoding
 * @param headerBits the size of the header in bits: a multiple of 8, with a bit for each codec
 */
record ConditionalCodec(List<BytesToBytesCodec> codecs, int headerBits) implements BytesToBytesCodec {
    static final String NAME = "conditional";
    static final String CODECS = "codecs";
    static final String HEADER_BITS = "header_bits";

    /** In decoding, an intermediate size may be at most twice the size of the chunk, plus this number of bytes. */
    private static final long GROWTH = 64 << 10;

    /** The number of bytes by which each codec raises this limit, for its own header. */
    private static final long HEADER = 1 << 10;

    ConditionalCodec {
        codecs = List.copyOf(codecs);
        if (headerBits % Byte.SIZE != 0 || headerBits < codecs.size()) {
            throw new IllegalArgumentException("a header of " + headerBits + " bits for " + codecs.size() + " codecs");
        }
    }

    /** Returns the smallest header for {@code count} codecs, in bits. */
    static int smallestHeader(int count) {
        return (count + Byte.SIZE - 1) / Byte.SIZE * Byte.SIZE;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with(
                        CODECS,
                        new Json.Arr(codecs.stream()
                                .map(BytesToBytesCodec::json)
                                .map(Json.class::cast)
                                .toList()))
                .with(HEADER_BITS, Json.of(headerBits));
    }

    @Override
    public BytesToBytesCodec bind(ChunkType type) {
        return new ConditionalCodec(codecs.stream().map(c -> c.bind(type)).toList(), headerBits);
    }

    private int headerSize() {
        return headerBits / Byte.SIZE;
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        byte[] header = new byte[headerSize()];
        Bytes content = decoded;
        for (int i = 0; i < codecs.size(); i++) {
            BytesToBytesCodec codec = codecs.get(i);
            Bytes encodedBytes = codec.encode(content, scratch);
            if (codec.encodedSize(content.size()).isPresent() || encodedBytes.size() < content.size()) {
                header[i / Byte.SIZE] |= (byte) (1 << i % Byte.SIZE);
                content = encodedBytes;
            }
        }
        return Bytes.concat(List.of(Bytes.of(header), content == decoded ? decoded.copy() : content));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (encoded.size() < headerSize()) {
            throw new CorruptDataException(NAME + ": expected a header of " + headerSize() + " bytes, found "
                    + encoded.size() + " bytes in all");
        }
        byte[] header = encoded.slice(0, headerSize()).toArray();
        DecodedSize[] sizes = sizes(header, expected);
        Bytes content = encoded.slice(headerSize(), encoded.size() - headerSize());
        for (int i = codecs.size() - 1; i >= 0; i--) {
            if (isApplied(header, i)) {
                content = codecs.get(i).decode(content, sizes[i], scratch);
                sizes[i].check(content.size(), codecs.get(i).name() + " decoded");
            }
        }
        expected.check(content.size(), NAME + " decoded");
        return content;
    }

    /** Returns the size of each codec's input on encoding. Rejects a header with bits of unknown codecs. */
    private DecodedSize[] sizes(byte[] header, DecodedSize expected) {
        for (int i = codecs.size(); i < headerBits; i++) {
            if (isApplied(header, i)) {
                throw new CorruptDataException(NAME + ": expected zeros after the first " + codecs.size()
                        + " bits of the header, found bit " + i + " set");
            }
        }
        DecodedSize[] sizes = new DecodedSize[codecs.size()];
        DecodedSize size = expected;
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = size;
            if (isApplied(header, i)) {
                // However many codecs there are, no step decodes to more than about twice the size of the chunk.
                long maximum = Math.min(
                        codecs.get(i).maxEncodedSize(size.maxBytes()), 2 * expected.maxBytes() + GROWTH + HEADER * i);
                OptionalLong exact = size.isExact() ? codecs.get(i).encodedSize(size.maxBytes()) : OptionalLong.empty();
                size = exact.isPresent() ? DecodedSize.exactly(exact.getAsLong()) : DecodedSize.atMost(maximum);
            }
        }
        return sizes;
    }

    private static boolean isApplied(byte[] header, int i) {
        return (header[i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0;
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        long size = decodedSize;
        for (BytesToBytesCodec codec : codecs) {
            size = Math.min(Math.max(size, codec.maxEncodedSize(size)), Limits.LARGEST_CHUNK);
        }
        return size + headerSize();
    }

    @Override
    public OptionalLong reservedSize(long decodedSize) {
        long size = decodedSize;
        for (BytesToBytesCodec codec : codecs) {
            size = codec.encodedSize(size).orElse(size);
        }
        return OptionalLong.of(size + headerSize());
    }
}
