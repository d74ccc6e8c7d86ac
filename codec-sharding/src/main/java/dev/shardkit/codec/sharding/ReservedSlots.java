package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * Computes the space that a shard reserves for inner chunks that are not written yet
 * ({@link ShardWritePolicy.Allocation#WHOLE}). Each inner chunk has a slot of the same size: the encoded size, if it is
 * fixed, or the largest encoded size ({@code conditional}). Inner shards of such inner chunks have slots too, unless
 * other codecs surround them. If the encoded size has no bound, the policy has no effect. Stateless.
 */
final class ReservedSlots {
    private ReservedSlots() {}

    /** Returns whether a shard of such inner chunks reserves room for all of them. */
    static boolean isWhole(ShardWritePolicy policy, ChunkCodec inner) {
        return policy.allocation() == ShardWritePolicy.Allocation.WHOLE
                && size(inner).isPresent();
    }

    /** Returns the slack after an inner chunk of a size: the rest of its slot if each has reserved room. */
    static LongUnaryOperator slack(ShardWritePolicy policy, ChunkCodec inner) {
        return isWhole(policy, inner) ? slot(inner) : policy.slack()::after;
    }

    /** Returns the rest of the slot after an inner chunk of a size; none after one that another writer made larger. */
    static LongUnaryOperator slot(ChunkCodec inner) {
        long slot = size(inner).orElseThrow();
        return size -> Math.max(0, slot - size);
    }

    /** Returns the room for each inner chunk; empty if it is unknown. */
    static OptionalLong size(ChunkCodec inner) {
        Optional<BoundSharding> nested = nested(inner);
        return nested.isPresent() ? nested.get().wholeSize() : inner.reservedSize();
    }

    /** Returns the content of an inner chunk in which every element is the fill value. */
    static List<Piece> fill(ChunkCodec inner, Scratch scratch) {
        Optional<BoundSharding> nested = nested(inner);
        if (nested.isPresent()) {
            return nested.get().wholeFill(scratch);
        }
        ShardWritePolicy keep = ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);
        Piece.Literal literal =
                new Piece.Literal(inner.encode(DenseChunk.filled(inner.type()).feed(), keep, scratch)
                        .orElseThrow());
        return List.of(ZeroBytes.isZero(literal.bytes()) ? new Piece.Zeros(literal.size()) : literal);
    }

    private static Optional<BoundSharding> nested(ChunkCodec inner) {
        return inner.shardAccess().filter(p -> p instanceof BoundSharding).map(BoundSharding.class::cast);
    }
}
