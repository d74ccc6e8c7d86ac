package dev.shardkit.n5;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * {@link BlockCodec} bound to a chunk type. It writes blocks with the full shape of a chunk, as tensorstore does. The
 * Java library n5 stores smaller blocks at the edge of an array; reads pad these with the fill value.
 */
final class BoundBlock implements ChunkCodec {
    private final ChunkType type;
    private final long[] shape;
    private final CodecChain codecs;
    private final Limits limits;
    private final ChunkCodec elementCodec;

    BoundBlock(ChunkType type, CodecChain codecs, Limits limits) {
        this.type = type;
        this.shape = type.shape();
        this.codecs = codecs;
        this.limits = limits;
        this.elementCodec = codecs.bind(type, limits);
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public long maxEncodedSize() {
        return BlockHeader.size(type.rank(), BlockHeader.Mode.VARLENGTH) + elementCodec.maxEncodedSize();
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        return elementCodec
                .encode(chunk, policy, scratch)
                .map(elements -> Bytes.concat(List.of(BlockHeader.encode(shape), elements)));
    }

    @Override
    public void decode(Bytes encoded, Box part, Target output, Scratch scratch) {
        BlockHeader header = BlockHeader.decode(encoded, shape);
        Bytes elements = encoded.slice(header.size(), encoded.size() - header.size());
        if (Arrays.equals(header.shape(), shape)) {
            elementCodec.decode(elements, part, output, scratch);
            return;
        }
        output.fill(type.fill(), Box.of(part.shape()));
        Box storedPart = part.intersect(Box.of(header.shape()));
        if (!storedPart.isEmpty()) {
            codecs.bind(type.withShape(header.shape()), limits)
                    .decode(elements, storedPart, output.window(storedPart.relativeTo(part)), scratch);
        }
    }
}
