package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A codec of chunks with the dimensions x, y, z and channel that encodes and decodes whole chunks. The voxels of a
 * channel are in Fortran order: x varies fastest. Immutable.
 */
abstract class FortranChunk implements ChunkCodec {
    private static final long ROOM = 1 << 16;

    private final ChunkType type;
    private final String name;

    /** Binds to {@code type}, whose chunk is not larger than the limits allow. */
    FortranChunk(ChunkType type, String name) {
        this.type = type;
        this.name = name;
    }

    /** Rejects chunks of another rank. */
    static void check(ChunkType type, String codec) {
        if (type.rank() != VolumeGrid.RANK) {
            throw new MetadataException("codec " + codec + ": expected the dimensions x, y, z and channel, found "
                    + type.rank() + " dimensions");
        }
    }

    /** Encodes elements, little-endian and in Fortran order. */
    abstract Bytes encode(byte[] elements, Scratch scratch);

    /** Decodes to little-endian elements in Fortran order, which fill {@code out} from its start. */
    abstract void decode(HeapBytes encoded, byte[] out, int size);

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public long maxEncodedSize() {
        return 2 * size() + ROOM;
    }

    private long size() {
        return type.decodedSize().orElseThrow();
    }

    private long[] strides() {
        long[] shape = type.shape();
        return new long[] {1, shape[0], shape[0] * shape[1], shape[0] * shape[1] * shape[2]};
    }

    private Elements.Fixed elements(byte[] bytes) {
        return Elements.Fixed.of(
                type.dataType(), ByteBuffer.wrap(bytes, 0, Math.toIntExact(size())), ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch) {
        byte[] bytes = new byte[Math.toIntExact(size())];
        Elements.Fixed elements = elements(bytes);
        chunk.get(type.box(), elements, 0, strides());
        return policy.emptyChunks() == WritePolicy.EmptyChunks.DROP
                        && DenseChunk.of(type, elements).isFill()
                ? Optional.empty()
                : Optional.of(encode(bytes, scratch));
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        int size = Math.toIntExact(size());
        byte[] bytes = scratch.borrow(size);
        decode(HeapBytes.of(encoded, scratch, name), bytes, size);
        long[] strides = strides();
        long first = 0;
        for (int d = 0; d < strides.length; d++) {
            first += part.origin(d) * strides[d];
        }
        out.put(elements(bytes), first, strides, Box.of(part.shape()));
    }
}
