package dev.shardkit.codec.support;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A bound codec that converts each element on its own, such as {@code cast_value}. It wraps targets and feeds in views
 * that convert a few thousand elements at a time, so parts of a chunk do not require the whole chunk. Immutable and
 * thread-safe.
 *
 * @param decoded the type of the decoded chunk
 * @param encoded the type of the encoded chunk, with the same shape
 * @param forth encodes elements
 * @param back decodes elements
 */
public record Elementwise(ChunkType decoded, ChunkType encoded, Kernel forth, Kernel back)
        implements BoundArrayToArrayCodec, BoundArrayToArrayCodec.View {
    /** A kernel that copies elements unchanged. Targets and feeds are passed on without a view then. */
    public static final Kernel SAME = (in, out, n) -> out.put(0, in, 0, in.limit());

    /** The maximum number of elements that a view converts at once. */
    private static final int PIECE = 1 << 13;

    /** Converts elements. */
    @FunctionalInterface
    public interface Kernel {
        /** Converts {@code n} elements. Both buffers contain exactly these elements as little-endian words. */
        void run(ByteBuffer in, ByteBuffer out, int n);
    }

    /** Converts one fill value by {@code kernel}. */
    public static FillValue fill(Kernel kernel, FillValue value, DataType type) {
        ByteBuffer out = ByteBuffer.allocate(type.elementSize().orElseThrow()).order(ByteOrder.LITTLE_ENDIAN);
        kernel.run(ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN), out, 1);
        return FillValue.of(out.array());
    }

    @Override
    public Optional<View> view() {
        return Optional.of(this);
    }

    @Override
    public Box encode(Box decodedPart) {
        return decodedPart;
    }

    @Override
    public Box decode(Box encodedPart) {
        return encodedPart;
    }

    @Override
    public Target encode(Target target) {
        return back == SAME ? target : new Decoding(target, this);
    }

    @Override
    public Feed encode(Feed feed) {
        return forth == SAME ? feed : new Mapped(feed, decoded.dataType(), encoded.dataType(), forth);
    }

    @Override
    public DenseChunk encode(DenseChunk chunk) {
        return gather(encode(chunk.feed()), encoded);
    }

    @Override
    public DenseChunk decode(DenseChunk chunk) {
        return gather(new Mapped(chunk.feed(), encoded.dataType(), decoded.dataType(), back), decoded);
    }

    private static DenseChunk gather(Feed source, ChunkType type) {
        DenseChunk target = DenseChunk.filled(type);
        source.get(type.box(), target.elements(), 0, Shapes.strides(type.shape()));
        return target;
    }

    /** Allocates a buffer for the largest piece of {@code count} elements. */
    private static ByteBuffer buffer(DataType type, long count) {
        int pieceCount = (int) Math.min(PIECE, count);
        return ByteBuffer.allocate(pieceCount * type.elementSize().orElseThrow());
    }

    /** Returns the first {@code count} elements of a buffer. */
    private static Elements.Fixed elements(DataType type, ByteBuffer buffer, long count) {
        int size = type.elementSize().orElseThrow();
        return new Elements.Fixed(
                buffer.slice(0, (int) count * size).order(ByteOrder.LITTLE_ENDIAN),
                size,
                type.carrier().wordSize());
    }

    /** Divides a box into boxes of at most {@link #PIECE} elements, by halving its first dimension longer than 1. */
    private static void pieces(Box box, Consumer<Box> visitor) {
        if (box.isEmpty()) {
            return;
        } else if (box.count() <= PIECE) {
            visitor.accept(box);
            return;
        }
        int d = 0;
        while (box.shape(d) == 1) {
            d++;
        }
        long[] origin = box.origin();
        long[] shape = box.shape();
        shape[d] = box.shape(d) / 2;
        pieces(Box.of(origin, shape), visitor);
        origin[d] += shape[d];
        shape[d] = box.shape(d) - shape[d];
        pieces(Box.of(origin, shape), visitor);
    }

    /** Returns the offset of the first element of a piece, if the first one of the whole box is at {@code offset}. */
    private static long offset(Box piece, Box whole, long offset, long[] strides) {
        long position = offset;
        for (int d = 0; d < strides.length; d++) {
            position += (piece.origin(d) - whole.origin(d)) * strides[d];
        }
        return position;
    }

    /** A feed that converts the elements of another feed. */
    private record Mapped(Feed feed, DataType source, DataType targetType, Kernel kernel) implements Feed {
        /**
         * Does not forward holes, because an element that the feed does not have cannot be converted. Before such a
         * write, codec chains fill the holes with the stored elements.
         */
        @Override
        public Coverage coverage(Box part) {
            return feed.coverage(part) == Coverage.FILL ? Coverage.FILL : Coverage.ALL;
        }

        @Override
        public void get(Box part, Elements target, long offset, long[] strides) {
            ByteBuffer input = buffer(source, part.count());
            ByteBuffer output = buffer(targetType, part.count());
            pieces(part, piece -> {
                Elements.Fixed in = elements(source, input, piece.count());
                Elements.Fixed out = elements(targetType, output, piece.count());
                long[] dense = Shapes.strides(piece.shape());
                feed.get(piece, in, 0, dense);
                kernel.run(in.bytes(), out.bytes(), (int) piece.count());
                ElementCopy.copy(out, 0, dense, target, offset(piece, part, offset, strides), strides, piece.shape());
            });
        }
    }

    /** A target that decodes elements before it passes them on to another target. */
    private record Decoding(Target target, Elementwise stage) implements Target {
        @Override
        public void put(Elements source, long offset, long[] strides, Box box) {
            ByteBuffer input = buffer(stage.encoded.dataType(), box.count());
            ByteBuffer output = buffer(stage.decoded.dataType(), box.count());
            pieces(box, piece -> {
                Elements.Fixed in = elements(stage.encoded.dataType(), input, piece.count());
                Elements.Fixed out = elements(stage.decoded.dataType(), output, piece.count());
                long[] dense = Shapes.strides(piece.shape());
                ElementCopy.copy(source, offset(piece, box, offset, strides), strides, in, 0, dense, piece.shape());
                stage.back.run(in.bytes(), out.bytes(), (int) piece.count());
                target.put(out, 0, dense, piece);
            });
        }

        @Override
        public void fill(FillValue value, Box box) {
            target.fill(Elementwise.fill(stage.back, value, stage.decoded.dataType()), box);
        }
    }
}
