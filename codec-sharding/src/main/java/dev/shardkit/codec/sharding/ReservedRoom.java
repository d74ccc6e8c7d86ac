package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Room for inner chunks that are not written yet ({@link WritePolicy.Allocation#WHOLE}). Possible if all inner chunks
 * have the same fixed size; this includes inner shards of such inner chunks, without other codecs around them.
 * Otherwise the policy has no effect. Stateless.
 */
final class ReservedRoom {
    private ReservedRoom() {}

    /** Whether a shard of such inner chunks reserves room for all of them. */
    static boolean isWhole(WritePolicy policy, ChunkCodec inner) {
        return policy.allocation() == WritePolicy.Allocation.WHOLE
                && size(inner).isPresent();
    }

    /** Returns the slack after the inner chunks of a shard: none if each has its reserved room anyway. */
    static WritePolicy.Slack slack(WritePolicy policy, ChunkCodec inner) {
        return isWhole(policy, inner) ? WritePolicy.Slack.NONE : policy.slack();
    }

    /** Returns the fixed size of inner chunks; empty if sizes vary. */
    static OptionalLong size(ChunkCodec inner) {
        Optional<BoundSharding> nested = nested(inner);
        return nested.isPresent() ? nested.get().wholeSize() : inner.encodedSize();
    }

    /** Returns the content of an inner chunk in which every element is the fill value. */
    static List<Piece> fill(ChunkCodec inner, Scratch scratch) {
        Optional<BoundSharding> nested = nested(inner);
        if (nested.isPresent()) {
            return nested.get().wholeFill(scratch);
        }
        WritePolicy keep = WritePolicy.defaults().withEmptyChunks(WritePolicy.EmptyChunks.KEEP);
        Piece.Literal literal =
                new Piece.Literal(inner.encode(DenseChunk.filled(inner.type()).feed(), keep, scratch)
                        .orElseThrow());
        return List.of(Zeros.isZero(literal.bytes()) ? new Piece.Zeros(literal.size()) : literal);
    }

    private static Optional<BoundSharding> nested(ChunkCodec inner) {
        return inner.partitioned().filter(p -> p instanceof BoundSharding).map(BoundSharding.class::cast);
    }
}
