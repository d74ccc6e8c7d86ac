package dev.shardkit.codec.vlen;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A {@link VlenCodec} bound to one chunk type. A chunk is encoded as the number of its elements, then the length and
 * the bytes of each element. Decoding checks each length against the remaining bytes before it allocates memory.
 */
final class BoundVlen implements ChunkCodec {
    /** The size in bytes of the number of elements, and of each length. */
    private static final int NUMBER = 4;

    private static final byte[] NOTHING = new byte[0];

    private final String name;
    private final ChunkType type;
    /** The number of bytes of which the length of each element must be a multiple. */
    private final int unit;

    private final long[] shape;
    private final long[] strides;
    private final int count;
    private final long maxEncodedSize;

    BoundVlen(String name, ChunkType type, int unit, long maxEncodedSize) {
        this.name = name;
        this.type = type;
        this.unit = unit;
        this.shape = type.shape();
        this.strides = Shapes.strides(shape);
        this.count = Math.toIntExact(type.count());
        this.maxEncodedSize = maxEncodedSize;
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public long maxEncodedSize() {
        return maxEncodedSize;
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        Elements.Variable elements = new Elements.Variable(new byte[count][]);
        chunk.get(type.box(), elements, 0, strides);
        if (policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP
                && DenseChunk.of(type, elements).isFill()) {
            return Optional.empty();
        }
        long size = NUMBER;
        for (byte[] value : elements.values()) {
            if (value.length % unit != 0) {
                throw new UnencodableException("codec " + name + ": expected elements of a multiple of " + unit
                        + " bytes, found one of " + value.length);
            }
            size += NUMBER + value.length;
        }
        if (size > maxEncodedSize) {
            throw new UnencodableException(
                    "codec " + name + ": a chunk of " + size + " bytes; the limit chunkBytes is " + maxEncodedSize);
        }
        ByteBuffer out =
                ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN).putInt(count);
        for (byte[] value : elements.values()) {
            out.putInt(value.length).put(value);
        }
        return Optional.of(Bytes.of(out.array()));
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        Elements elements = new Elements.Variable(values(encoded));
        type.dataType().check(elements);
        out.put(elements, part.firstIn(shape), strides, Box.of(part.shape()));
    }

    /** Returns all elements. */
    private byte[][] values(Bytes encoded) {
        if (encoded.size() > maxEncodedSize) {
            throw corrupt("at most " + maxEncodedSize + " bytes (limit chunkBytes)", encoded.size() + " bytes");
        }
        // Every element has at least a length. The array is allocated only after this check.
        if (encoded.size() < NUMBER + (long) NUMBER * count) {
            throw corrupt(
                    "at least " + (NUMBER + (long) NUMBER * count) + " bytes for " + count + " elements",
                    encoded.size() + " bytes");
        }
        ByteBuffer in = encoded.buffer().order(ByteOrder.LITTLE_ENDIAN);
        int claimed = in.getInt();
        if (claimed != count) {
            throw corrupt(count + " elements", Integer.toUnsignedString(claimed));
        }
        byte[][] values = new byte[count][];
        for (int i = 0; i < count; i++) {
            values[i] = value(in, i);
        }
        if (in.hasRemaining()) {
            throw corrupt("the end after " + count + " elements", in.remaining() + " bytes more");
        }
        return values;
    }

    private byte[] value(ByteBuffer in, int i) {
        if (in.remaining() < NUMBER) {
            throw corrupt("a length of 4 bytes for element " + i, in.remaining() + " bytes");
        }
        long length = Integer.toUnsignedLong(in.getInt());
        if (length > in.remaining()) {
            throw corrupt(length + " bytes for element " + i, in.remaining() + " bytes");
        }
        if (length % unit != 0) {
            throw corrupt("a multiple of " + unit + " bytes for element " + i, length + " bytes");
        }
        if (length == 0) {
            return NOTHING;
        }
        byte[] value = new byte[(int) length];
        in.get(value);
        return value;
    }

    private CorruptDataException corrupt(String expected, String actual) {
        return new CorruptDataException("codec " + name + ": expected " + expected + ", found " + actual);
    }
}
