package dev.shardkit.codec.shuffle;

import dev.shardkit.codec.support.ByteShuffle;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The shuffle of HDF5 and numcodecs, which zarr-python calls {@code numcodecs.shuffle}: stores the first bytes of all
 * elements, then their second bytes, and so on. As in HDF5, bytes after the last whole element stay in place. Sizes do
 * not change. Immutable and thread-safe.
 *
 * @param elementSize the size of an element in bytes, 1 or more
 */
public record ShuffleCodec(int elementSize) implements BytesToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "numcodecs.shuffle";

    /** The member of the configuration. */
    static final String ELEMENT_SIZE = "elementsize";

    /** Rejects sizes below 1. */
    public ShuffleCodec {
        if (elementSize < 1) {
            throw new IllegalArgumentException("shuffle: expected elements of 1 byte or more, found " + elementSize);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return new Json.Obj(Map.of(ELEMENT_SIZE, Json.of(elementSize)));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        byte[] out = new byte[in.size()];
        ByteShuffle.shuffle(elementSize, in.size(), in.array(), in.from(), out, 0);
        return Bytes.of(out);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        expected.check(encoded.size(), "shuffle decoded");
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        byte[] out = scratch.borrow(in.size());
        ByteShuffle.unshuffle(elementSize, in.size(), in.array(), in.from(), out, 0);
        return Bytes.of(out, 0, in.size());
    }

    @Override
    public OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.of(decodedSize);
    }
}
