package dev.shardkit.hdf5.codec;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The codec of a dataset in which HDF5 skipped some filters for some chunks. An encoded chunk is a mask (32 bits,
 * little-endian), then the encoded bytes. Bit i of the mask is set if filter i was skipped. HDF5 stores the mask in its
 * index of chunks, not in the chunk: the references that shardkit creates prepend the mask to the range of the chunk.
 * Immutable and thread-safe.
 *
 * @param filters the codecs, in the order of encoding
 */
public record MaskedCodec(List<BytesToBytesCodec> filters) implements BytesToBytesCodec {
    static final String NAME = "hdf5.filters";
    static final String FILTERS = "filters";
    public static final int HEADER = 4;

    /** Returns the document of this codec with the documents of its filters. */
    public static Json toJson(List<Json> filters) {
        return Json.extension(NAME, Json.object().with(FILTERS, new Json.Arr(filters)));
    }

    /** Returns the bytes of a mask. */
    public static byte[] maskBytes(int mask) {
        return ByteBuffer.allocate(HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(mask)
                .array();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        List<Json> filterDocuments = new ArrayList<>();
        filters.forEach(filter -> filterDocuments.add(filter.json()));
        return Json.object().with(FILTERS, new Json.Arr(filterDocuments));
    }

    @Override
    public BytesToBytesCodec bind(ChunkType type) {
        return new MaskedCodec(filters.stream().map(filter -> filter.bind(type)).toList());
    }

    /** Encodes with all filters and an empty mask. */
    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        Bytes bytes = decoded;
        for (BytesToBytesCodec filter : filters) {
            bytes = filter.encode(bytes, scratch);
        }
        return Bytes.concat(List.of(Bytes.of(new byte[HEADER]), bytes.copy()));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (encoded.size() < HEADER) {
            throw new CorruptDataException(NAME + ": expected at least 4 bytes, found " + encoded.size());
        }
        byte[] maskBytes = encoded.slice(0, HEADER).toArray();
        List<BytesToBytesCodec> appliedFilters = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            if (i >= Integer.SIZE || (maskBytes[i / Byte.SIZE] >> i % Byte.SIZE & 1) == 0) {
                appliedFilters.add(filters.get(i));
            }
        }
        List<DecodedSize> sizes = inputSizes(appliedFilters, expected);
        Bytes bytes = encoded.slice(HEADER, encoded.size() - HEADER);
        for (int i = appliedFilters.size(); i-- > 0; ) {
            bytes = appliedFilters.get(i).decode(bytes, sizes.get(i), scratch);
        }
        expected.check(bytes.size(), NAME + " decoded");
        return bytes;
    }

    /**
     * Returns the decoded size of each filter: exact if all filters before it have exact sizes, otherwise a maximum.
     */
    private static List<DecodedSize> inputSizes(List<BytesToBytesCodec> filters, DecodedSize decodedSize) {
        List<DecodedSize> sizes = new ArrayList<>();
        DecodedSize size = decodedSize;
        for (BytesToBytesCodec filter : filters) {
            sizes.add(size);
            OptionalLong exact = size.isExact() ? filter.encodedSize(size.maxBytes()) : OptionalLong.empty();
            size = exact.isPresent()
                    ? DecodedSize.exactly(exact.getAsLong())
                    : DecodedSize.atMost(filter.maxEncodedSize(size.maxBytes()));
        }
        return sizes;
    }

    /** Returns the maximum over all combinations of skipped filters. */
    @Override
    public long maxEncodedSize(long decodedSize) {
        long size = decodedSize;
        for (BytesToBytesCodec filter : filters) {
            size = Math.max(size, filter.maxEncodedSize(size));
        }
        return HEADER + size;
    }
}
