package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The base class of neuroglancer's codecs, bound to a chunk type. Chunks have the dimensions x, y, z and channel, in
 * Fortran order: x varies fastest. A chunk is always encoded and decoded as a whole. Immutable.
 */
abstract class FortranChunk implements ChunkCodec {
    /** The most bytes that an encoding has in addition to twice the size of its elements. */
    private static final long MAX_OVERHEAD = 1 << 16;

    private final ChunkType type;
    private final String name;

    /** Binds the codec to a chunk type. The caller must have checked its size. */
    FortranChunk(ChunkType type, String name) {
        this.type = type;
        this.name = name;
    }

    /** Throws unless chunks have four dimensions. */
    static void requireRank(ChunkType type, String codec) {
        if (type.rank() != VolumeGrid.RANK) {
            throw new MetadataException("codec " + codec + ": expected the dimensions x, y, z and channel, found "
                    + type.rank() + " dimensions");
        }
    }

    /** Encodes elements, little-endian and in Fortran order. */
    abstract Bytes encode(byte[] elements, Scratch scratch);

    /** Decodes to little-endian elements in Fortran order, at the start of {@code output}. */
    abstract void decode(HeapBytes encoded, byte[] output, int size);

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public long maxEncodedSize() {
        return 2 * decodedSize() + MAX_OVERHEAD;
    }

    private long decodedSize() {
        return type.decodedSize().orElseThrow();
    }

    /** Returns the strides of Fortran order. */
    private long[] strides() {
        long[] shape = type.shape();
        return new long[] {1, shape[0], shape[0] * shape[1], shape[0] * shape[1] * shape[2]};
    }

    private Elements.Fixed wrap(byte[] bytes) {
        return Elements.Fixed.of(
                type.dataType(), ByteBuffer.wrap(bytes, 0, Math.toIntExact(decodedSize())), ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        byte[] bytes = new byte[Math.toIntExact(decodedSize())];
        Elements.Fixed elements = wrap(bytes);
        chunk.get(type.box(), elements, 0, strides());
        return policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP
                        && DenseChunk.of(type, elements).isFill()
                ? Optional.empty()
                : Optional.of(encode(bytes, scratch));
    }

    @Override
    public void decode(Bytes encoded, Box part, Target output, Scratch scratch) {
        int size = Math.toIntExact(decodedSize());
        byte[] bytes = scratch.borrow(size);
        decode(HeapBytes.of(encoded, scratch, name), bytes, size);
        long[] strides = strides();
        long firstIndex = 0;
        for (int d = 0; d < strides.length; d++) {
            firstIndex += part.origin(d) * strides[d];
        }
        output.put(wrap(bytes), firstIndex, strides, Box.of(part.shape()));
    }
}
