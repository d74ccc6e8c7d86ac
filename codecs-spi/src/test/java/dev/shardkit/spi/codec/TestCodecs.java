package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/** The smallest codecs of every kind, for uint8. */
final class TestCodecs {
    private TestCodecs() {}

    /** Adds to each element: a stage that is no view. */
    record Add(int by) implements ArrayToArrayCodec {
        @Override
        public String name() {
            return "add";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public BoundArrayToArrayCodec bind(ChunkType decoded) {
            return new BoundArrayToArrayCodec() {
                @Override
                public ChunkType encoded() {
                    return decoded;
                }

                @Override
                public DenseChunk encode(DenseChunk chunk) {
                    return added(chunk, by);
                }

                @Override
                public DenseChunk decode(DenseChunk chunk) {
                    return added(chunk, -by);
                }
            };
        }

        private static DenseChunk added(DenseChunk chunk, int by) {
            ByteBuffer bytes = ((Elements.Fixed) chunk.elements()).bytes();
            for (int i = 0; i < bytes.limit(); i++) {
                bytes.put(i, (byte) (bytes.get(i) + by));
            }
            return chunk;
        }
    }

    /** Swaps two dimensions: a stage that is a view. */
    record Swap() implements ArrayToArrayCodec {
        private static final int[] ORDER = {1, 0};

        @Override
        public String name() {
            return "swap";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public BoundArrayToArrayCodec bind(ChunkType decoded) {
            return new Bound(decoded.withShape(Shapes.permute(decoded.shape(), ORDER)));
        }

        private record Bound(ChunkType encoded) implements BoundArrayToArrayCodec, BoundArrayToArrayCodec.View {
            @Override
            public DenseChunk encode(DenseChunk chunk) {
                throw new AssertionError("views are seen through");
            }

            @Override
            public DenseChunk decode(DenseChunk chunk) {
                throw new AssertionError("views are seen through");
            }

            @Override
            public Optional<View> view() {
                return Optional.of(this);
            }

            @Override
            public Box encode(Box part) {
                return part.permute(ORDER);
            }

            @Override
            public Box decode(Box part) {
                return part.permute(ORDER);
            }

            @Override
            public Target encode(Target target) {
                return target.permute(ORDER);
            }

            @Override
            public Feed encode(Feed feed) {
                return feed.permute(ORDER);
            }
        }
    }

    /** Elements as they are. */
    record Plain() implements ArrayToBytesCodec {
        @Override
        public String name() {
            return "plain";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public ChunkCodec bind(ChunkType type, Limits limits) {
            return new BoundPlain(type);
        }
    }

    static class BoundPlain implements ChunkCodec {
        final ChunkType type;

        BoundPlain(ChunkType type) {
            this.type = type;
        }

        @Override
        public ChunkType type() {
            return type;
        }

        @Override
        public OptionalLong encodedSize() {
            return OptionalLong.of(type.count());
        }

        @Override
        public long maxEncodedSize() {
            return type.count();
        }

        @Override
        public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
            byte[] bytes = new byte[(int) type.count()];
            Elements elements = Elements.Fixed.of(type.dataType(), ByteBuffer.wrap(bytes), ByteOrder.LITTLE_ENDIAN);
            chunk.get(type.box(), elements, 0, Shapes.strides(type.shape()));
            return DenseChunk.of(type, elements).isFill() ? Optional.empty() : Optional.of(Bytes.of(bytes));
        }

        @Override
        public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
            if (encoded.size() != type.count()) {
                throw new CorruptDataException("plain: expected " + type.count() + ", found " + encoded.size());
            }
            out.put(
                    Elements.Fixed.of(type.dataType(), encoded.buffer(), ByteOrder.LITTLE_ENDIAN),
                    part.firstIn(type.shape()),
                    Shapes.strides(type.shape()),
                    Box.of(part.shape()));
        }
    }

    /** Reads row by row, as a shard of one-row inner chunks without an index would. */
    record Halves() implements ArrayToBytesCodec {
        @Override
        public String name() {
            return "halves";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public ChunkCodec bind(ChunkType type, Limits limits) {
            return new BoundHalves(type);
        }
    }

    private static final class BoundHalves extends BoundPlain implements ShardAccess {
        BoundHalves(ChunkType type) {
            super(type);
        }

        @Override
        public Plan<NoResult> decodeInto(Source in, Box part, Target out) {
            return Plan.each(part.shape(0), i -> {
                Box row = Box.of(new long[] {i, 0}, new long[] {1, part.shape(1)});
                long start = (part.origin(0) + i) * type.shape()[1] + part.origin(1);
                return in.read(new ByteRange.Slice(start, part.shape(1)), (answer, scratch) -> {
                    if (answer instanceof ReadResult.Found f) {
                        out.put(
                                Elements.Fixed.of(type.dataType(), f.bytes().buffer(), ByteOrder.LITTLE_ENDIAN),
                                0,
                                new long[] {0, 1},
                                row);
                    } else {
                        out.fill(type.fill(), row);
                    }
                    return NoResult.INSTANCE;
                });
            });
        }

        @Override
        public long[] readShape() {
            return innerShape();
        }

        @Override
        public Optional<ShardAccess> shardAccess() {
            return Optional.of(this);
        }

        @Override
        public long[] innerShape() {
            return new long[] {1, type.shape()[1]};
        }

        @Override
        public long[] gridShape() {
            return new long[] {type.shape()[0], 1};
        }

        @Override
        public ChunkCodec inner() {
            return new BoundPlain(type.withShape(innerShape()));
        }

        @Override
        public Plan<Source> locate(Source in, long[] cell) {
            return Plan.done(in.inner(cell, cell[0] * type.shape()[1], type.shape()[1]));
        }

        @Override
        public Plan<Optional<Layout>> layout(Source in) {
            throw new AssertionError();
        }
    }

    /** Flips all bits. */
    record Flip() implements BytesToBytesCodec {
        @Override
        public String name() {
            return "flip";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            byte[] bytes = decoded.toArray();
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
            return Bytes.of(bytes);
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            return encode(encoded, scratch);
        }

        @Override
        public OptionalLong encodedSize(long decodedSize) {
            return OptionalLong.of(decodedSize);
        }
    }

    /** Fails as libraries do. */
    record Failing() implements BytesToBytesCodec {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            return decoded;
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            throw new ArrayIndexOutOfBoundsException(-1);
        }
    }
}
