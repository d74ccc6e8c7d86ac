package dev.shardkit.codec.transpose;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;

/**
 * The {@code transpose} codec (zarr-specs, codecs/transpose v1): dimension i of the encoded chunk is dimension
 * {@code order[i]} of the decoded one. It moves no elements: targets and feeds are viewed through a permutation.
 * Immutable and thread-safe.
 */
final class TransposeCodec implements ArrayToArrayCodec {
    static final String NAME = "transpose";
    static final String ORDER = "order";

    private final int[] order;

    /** Creates the codec from a permutation that was already checked. */
    TransposeCodec(int[] order) {
        this.order = order.clone();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with(ORDER, Json.of(Arrays.stream(order).asLongStream().toArray()));
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType decoded) {
        if (decoded.rank() != order.length) {
            throw new MetadataException("codec transpose: expected an order of " + decoded.rank()
                    + " dimensions, found " + Arrays.toString(order));
        }
        return new Bound(decoded, decoded.withShape(Shapes.permute(decoded.shape(), order)), order);
    }

    /** The codec bound to a chunk type. */
    private record Bound(ChunkType decoded, ChunkType encoded, int[] order)
            implements BoundArrayToArrayCodec, BoundArrayToArrayCodec.View {
        @Override
        public Optional<View> view() {
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
        public Target encode(Target target) {
            return target.permute(order);
        }

        @Override
        public Feed encode(Feed feed) {
            return feed.permute(order);
        }

        @Override
        public DenseChunk encode(DenseChunk chunk) {
            return gather(chunk.feed().permute(order), encoded);
        }

        @Override
        public DenseChunk decode(DenseChunk chunk) {
            return gather(chunk.feed().permute(Shapes.inverse(order)), decoded);
        }

        private static DenseChunk gather(Feed source, ChunkType type) {
            DenseChunk target = DenseChunk.filled(type);
            source.get(type.box(), target.elements(), 0, Shapes.strides(type.shape()));
            return target;
        }
    }
}
