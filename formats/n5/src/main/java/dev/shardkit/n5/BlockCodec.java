package dev.shardkit.n5;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChainWrapper;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The codec {@code n5_default}, which the zarr-extensions repository defines. An encoded chunk is a block of N5: a
 * header with the mode and the shape, then the elements, encoded by a chain of codecs. Immutable and thread-safe.
 *
 * @param codecs the codecs of the elements: a transposition that reverses the dimensions, big-endian {@code bytes}, and
 *     at most one compressor
 */
record BlockCodec(CodecChain codecs) implements ArrayToBytesCodec, ChainWrapper {
    static final String NAME = "n5_default";
    /** The header stores the number of dimensions in 16 bits. */
    private static final int MAX_DIMENSIONS = 0xffff;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with("codecs", new Json.Arr(codecs.json()));
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        requireSupported(type);
        limits.checkChunk(type);
        return new BoundBlock(type, codecs, limits);
    }

    @Override
    public Optional<ChainWrapper> enclosing() {
        return Optional.of(this);
    }

    /** Returns the bytes after the header; empty if the block is smaller than a chunk. */
    @Override
    public Optional<Bytes> elements(Bytes encoded, long[] shape) {
        BlockHeader header = BlockHeader.decode(encoded, shape);
        return Arrays.equals(header.shape(), shape)
                ? Optional.of(encoded.slice(header.size(), encoded.size() - header.size()))
                : Optional.empty();
    }

    /** Throws unless N5 can store the chunks and its readers understand the codecs of the elements. */
    private void requireSupported(ChunkType type) {
        if (type.dataType().carrier().isVariable()) {
            throw new MetadataException("codec " + NAME + ": expected elements of a fixed size, found data type "
                    + type.dataType().name());
        }
        if (type.rank() == 0 || type.rank() > MAX_DIMENSIONS) {
            throw new MetadataException(
                    "codec " + NAME + ": expected 1 to " + MAX_DIMENSIONS + " dimensions, found " + type.rank());
        }
        for (long length : type.shape()) {
            if (length > Integer.MAX_VALUE) {
                throw new MetadataException(
                        "codec " + NAME + ": expected chunks of at most 2^31-1 in each dimension, found " + length);
            }
        }
        List<? extends Codec> arrayToArray = codecs.arrayToArray();
        Json order = Json.object().with("order", reversedOrder(type.rank()));
        if (arrayToArray.size() != 1
                || !arrayToArray.get(0).name().equals("transpose")
                || !arrayToArray.get(0).configuration().equals(order)) {
            throw new MetadataException("codec " + NAME + ": expected the codec transpose with " + order
                    + " first, found " + new Json.Arr(codecs.json()));
        }
        Codec bytes = codecs.arrayToBytes();
        boolean isMultiByte = type.dataType().carrier().wordSize() > 1;
        Optional<Json> endian = bytes.configuration().get("endian");
        if (!bytes.name().equals("bytes") || isMultiByte && !endian.equals(Optional.of(Json.of("big")))) {
            throw new MetadataException(
                    "codec " + NAME + ": expected the codec bytes with endian big, found " + bytes.json());
        }
        if (codecs.bytesToBytes().size() > 1) {
            throw new MetadataException("codec " + NAME + ": expected at most one bytes-to-bytes codec, found "
                    + codecs.bytesToBytes().size());
        }
    }

    private static Json reversedOrder(int rank) {
        long[] order = new long[rank];
        for (int d = 0; d < rank; d++) {
            order[d] = rank - 1 - d;
        }
        return Json.of(order);
    }
}
