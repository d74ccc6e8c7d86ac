package dev.shardkit.testkit.extension;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A minimal array-to-bytes codec, which completes the chain in tests of an array-to-array codec. Its encoding is not a
 * format of Zarr: the elements, or the size and the bytes of each element.
 */
record PlainCodec() implements ArrayToBytesCodec {
    @Override
    public String name() {
        return "testkit.plain";
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        return new Bound(type);
    }

    private record Bound(ChunkType type) implements ChunkCodec {
        @Override
        public OptionalLong encodedSize() {
            return type.decodedSize();
        }

        @Override
        public long maxEncodedSize() {
            return type.decodedSize().orElse(1 << 20); // more than the samples of elements of variable size take
        }

        @Override
        public Optional<Bytes> encode(Feed feed, ShardWritePolicy policy, Scratch scratch) {
            DenseChunk chunk = DenseChunk.filled(type);
            feed.get(type.box(), chunk.elements(), 0, Shapes.strides(type.shape()));
            if (policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP && chunk.isFill()) {
                return Optional.empty();
            }
            if (chunk.elements() instanceof Elements.Fixed f) {
                return Optional.of(Bytes.of(f.bytes()));
            }
            List<Bytes> values = new ArrayList<>();
            for (byte[] value : ((Elements.Variable) chunk.elements()).values()) {
                values.add(Bytes.of(ByteBuffer.allocate(4).putInt(0, value.length)));
                values.add(Bytes.of(value.clone()));
            }
            return Optional.of(Bytes.concat(values).copy());
        }

        @Override
        public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
            DenseChunk chunk = DenseChunk.filled(type);
            ByteBuffer in = encoded.buffer();
            if (chunk.elements() instanceof Elements.Fixed f) {
                if (in.remaining() != f.bytes().limit()) {
                    throw new CorruptDataException("expected " + f.bytes().limit() + " bytes, found " + in.remaining());
                }
                f.bytes().put(0, in, in.position(), in.remaining());
            } else {
                values(in, ((Elements.Variable) chunk.elements()).values());
            }
            out.put(chunk.elements(), part.firstIn(type.shape()), Shapes.strides(type.shape()), Box.of(part.shape()));
        }

        /** Reads elements of variable size, each after its size. */
        private static void values(ByteBuffer in, byte[][] values) {
            for (int i = 0; i < values.length; i++) {
                int size = in.remaining() < 4 ? -1 : in.getInt();
                if (size < 0 || size > in.remaining()) {
                    throw new CorruptDataException(
                            "element " + i + ": expected its size and its bytes, found " + in.remaining() + " bytes");
                }
                values[i] = new byte[size];
                in.get(values[i]);
            }
            if (in.hasRemaining()) {
                throw new CorruptDataException("expected no more bytes, found " + in.remaining());
            }
        }
    }
}
