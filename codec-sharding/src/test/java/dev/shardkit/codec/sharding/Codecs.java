package dev.shardkit.codec.sharding;

import dev.shardkit.codec.crc32c.Crc32cCodec;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Small codecs of every kind, for tests of what holds them; short-hands for shards. */
final class Codecs {
    private Codecs() {}

    static final Codec LITTLE = new Plain(ByteOrder.LITTLE_ENDIAN);
    static final Codec BIG = new Plain(ByteOrder.BIG_ENDIAN);
    static final Codec CRC = new Crc32cCodec();
    static final Codec DEFLATE = new Deflated();
    static final CodecChain INDEX = chain(LITTLE, CRC);

    static CodecChain chain(Codec... codecs) {
        return CodecChain.of(List.of(codecs));
    }

    static ShardingCodec shard(IndexLocation location, long[] innerShape, Codec... inner) {
        return ShardingCodec.of(innerShape, chain(inner), INDEX, location);
    }

    static ShardingCodec shard(long[] innerShape, Codec... inner) {
        return shard(IndexLocation.END, innerShape, inner);
    }

    static ChunkCodec bind(ChunkType type, Codec... codecs) {
        return chain(codecs).bind(type, Limits.defaults());
    }

    static long[] shape(long... shape) {
        return shape;
    }

    /** Elements as they are, in one byte order. */
    record Plain(ByteOrder order) implements ArrayToBytesCodec {
        @Override
        public String name() {
            return "bytes";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object().with("endian", Json.of(order == ByteOrder.BIG_ENDIAN ? "big" : "little"));
        }

        @Override
        public ChunkCodec bind(ChunkType type, Limits limits) {
            return new BoundPlain(type, order);
        }
    }

    private record BoundPlain(ChunkType type, ByteOrder order) implements ChunkCodec {
        @Override
        public OptionalLong encodedSize() {
            return type.decodedSize();
        }

        @Override
        public long maxEncodedSize() {
            return type.decodedSize().orElseThrow();
        }

        @Override
        public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
            ByteBuffer bytes = ByteBuffer.allocate((int) maxEncodedSize());
            Elements.Fixed elements = Elements.Fixed.of(type.dataType(), bytes, order);
            chunk.get(type.box(), elements, 0, Shapes.strides(type.shape()));
            boolean drop = policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP
                    && DenseChunk.of(type, elements).isFill();
            return drop ? Optional.empty() : Optional.of(Bytes.of(bytes));
        }

        @Override
        public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
            if (encoded.size() != maxEncodedSize()) {
                throw new CorruptDataException(
                        "bytes: expected " + maxEncodedSize() + " bytes, found " + encoded.size());
            }
            out.put(
                    Elements.Fixed.of(type.dataType(), encoded.buffer(), order),
                    part.firstIn(type.shape()),
                    Shapes.strides(type.shape()),
                    Box.of(part.shape()));
        }
    }

    /** A compressor: variable size, no access in the middle. */
    record Deflated() implements BytesToBytesCodec {
        @Override
        public String name() {
            return "test.deflate";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            Deflater deflater = new Deflater();
            deflater.setInput(decoded.toArray());
            deflater.finish();
            byte[] out = new byte[(int) maxEncodedSize(decoded.size())];
            int n = deflater.deflate(out);
            deflater.end();
            return Bytes.of(out, 0, n);
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            Inflater inflater = new Inflater();
            inflater.setInput(encoded.toArray());
            byte[] out = new byte[(int) Math.min(expected.maxBytes(), 1 << 20)];
            try {
                int n = inflater.inflate(out);
                if (!inflater.finished()) {
                    throw new CorruptDataException("deflate: cut, or more than " + expected);
                }
                return Bytes.of(out, 0, n);
            } catch (DataFormatException e) {
                throw new CorruptDataException("deflate: " + e.getMessage(), e);
            } finally {
                inflater.end();
            }
        }
    }

    /** Dimensions in another order. */
    record Transpose(int... order) implements ArrayToArrayCodec {
        @Override
        public String name() {
            return "transpose";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public BoundArrayToArrayCodec bind(ChunkType decoded) {
            return new BoundTranspose(decoded.withShape(Shapes.permute(decoded.shape(), order)), order);
        }
    }

    private record BoundTranspose(ChunkType encoded, int[] order)
            implements BoundArrayToArrayCodec, BoundArrayToArrayCodec.View {
        @Override
        public DenseChunk encode(DenseChunk decoded) {
            throw new AssertionError("a view will do");
        }

        @Override
        public DenseChunk decode(DenseChunk chunk) {
            throw new AssertionError("a view will do");
        }

        @Override
        public Optional<BoundArrayToArrayCodec.View> view() {
            return Optional.of(this);
        }

        @Override
        public Box encode(Box decodedPart) {
            return decodedPart.permute(order);
        }

        @Override
        public Box decode(Box encodedPart) {
            return encodedPart.permute(Shapes.inverse(order));
        }

        @Override
        public Target encode(Target decoded) {
            return decoded.permute(order);
        }

        @Override
        public Feed encode(Feed decoded) {
            return decoded.permute(order);
        }
    }
}
