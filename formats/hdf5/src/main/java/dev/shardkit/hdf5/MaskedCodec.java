package dev.shardkit.hdf5;

import dev.shardkit.registry.Registry;
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
 * The filters of a dataset of which some chunks were stored without some filters: a mask of 32 bits, little-endian,
 * then the encoded bytes. Bit i is set if filter i was not applied. The mask is not in the file's chunks; references
 * put it before them. Immutable and thread-safe.
 *
 * @param filters the codecs, in the order of encoding
 */
record MaskedCodec(List<BytesToBytesCodec> filters) implements BytesToBytesCodec {
    static final String NAME = "hdf5.filters";
    static final String FILTERS = "filters";
    static final int HEADER = 4;

    /** Returns the codec of the filters of a dataset. */
    static MaskedCodec of(List<Filter> filters, int elementBytes) {
        Registry registry = Registry.load();
        return new MaskedCodec(filters.stream()
                .map(filter -> (BytesToBytesCodec) registry.codec(FilterCodecs.v3(filter, elementBytes), ""))
                .toList());
    }

    static Json json(List<Json> filters) {
        return Json.extension(NAME, Json.object().with(FILTERS, new Json.Arr(filters)));
    }

    /** Returns the bytes of a mask. */
    static byte[] head(int mask) {
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
        List<Json> all = new ArrayList<>();
        filters.forEach(f -> all.add(f.json()));
        return Json.object().with(FILTERS, new Json.Arr(all));
    }

    @Override
    public BytesToBytesCodec bind(ChunkType type) {
        return new MaskedCodec(filters.stream().map(f -> f.bind(type)).toList());
    }

    /** Applies all filters. */
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
        byte[] head = encoded.slice(0, HEADER).toArray();
        List<BytesToBytesCodec> applied = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            if (i >= Integer.SIZE || (head[i / Byte.SIZE] >> i % Byte.SIZE & 1) == 0) {
                applied.add(filters.get(i));
            }
        }
        List<DecodedSize> sizes = sizes(applied, expected);
        Bytes bytes = encoded.slice(HEADER, encoded.size() - HEADER);
        for (int i = applied.size(); i-- > 0; ) {
            bytes = applied.get(i).decode(bytes, sizes.get(i), scratch);
        }
        expected.check(bytes.size(), NAME + " decoded");
        return bytes;
    }

    /** Returns the size before each filter. */
    private static List<DecodedSize> sizes(List<BytesToBytesCodec> filters, DecodedSize first) {
        List<DecodedSize> sizes = new ArrayList<>();
        DecodedSize size = first;
        for (BytesToBytesCodec filter : filters) {
            sizes.add(size);
            OptionalLong exact = size.isExact() ? filter.encodedSize(size.most()) : OptionalLong.empty();
            size = exact.isPresent()
                    ? DecodedSize.exactly(exact.getAsLong())
                    : DecodedSize.atMost(filter.maxEncodedSize(size.most()));
        }
        return sizes;
    }

    /** A chunk may lack any of the filters. */
    @Override
    public long maxEncodedSize(long decodedSize) {
        long size = decodedSize;
        for (BytesToBytesCodec filter : filters) {
            size = Math.max(size, filter.maxEncodedSize(size));
        }
        return HEADER + size;
    }
}
