package dev.shardkit.n5;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * {@link BlockCodec} bound to a chunk type. It writes blocks of full size, as tensorstore does. A smaller block, as n5
 * for Java stores it at an edge, is padded with the fill value.
 */
final class BoundBlock implements ChunkCodec {
    private final ChunkType type;
    private final long[] shape;
    private final CodecChain codecs;
    private final Limits limits;
    private final ChunkCodec whole;

    BoundBlock(ChunkType type, CodecChain codecs, Limits limits) {
        this.type = type;
        this.shape = type.shape();
        this.codecs = codecs;
        this.limits = limits;
        this.whole = codecs.bind(type, limits);
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public long maxEncodedSize() {
        return BlockHeader.size(type.rank(), BlockHeader.Mode.VARLENGTH) + whole.maxEncodedSize();
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch) {
        return whole.encode(chunk, policy, scratch)
                .map(elements -> Bytes.concat(List.of(BlockHeader.encode(shape), elements)));
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        BlockHeader header = BlockHeader.decode(encoded, shape);
        Bytes elements = encoded.slice(header.size(), encoded.size() - header.size());
        if (Arrays.equals(header.shape(), shape)) {
            whole.decode(elements, part, out, scratch);
            return;
        }
        out.fill(type.fill(), Box.of(part.shape()));
        Box stored = part.intersect(Box.of(header.shape()));
        if (!stored.isEmpty()) {
            codecs.bind(type.withShape(header.shape()), limits)
                    .decode(elements, stored, out.window(stored.relativeTo(part)), scratch);
        }
    }
}
