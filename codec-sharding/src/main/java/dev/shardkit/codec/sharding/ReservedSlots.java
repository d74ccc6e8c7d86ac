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
 * ({@link ShardWritePolicy.Allocation#WHOLE}). Each inner chunk has a slot of the same size: the encoded size if it is
 * fixed, otherwise the bound that the codecs state, as {@code conditional} does. Nested shards reserve their slots
 * likewise, unless other codecs surround them. If the encoded size has no bound, the policy has no effect. Stateless.
 */
final class ReservedSlots {
    private ReservedSlots() {}

    /** Returns whether a shard of these inner chunks reserves room for all of them. */
    static boolean isWhole(ShardWritePolicy policy, ChunkCodec inner) {
        return policy.allocation() == ShardWritePolicy.Allocation.WHOLE
                && size(inner).isPresent();
    }

    /**
     * Returns the function that computes the slack after an inner chunk from its size: the rest of its slot if all
     * inner chunks have reserved room, otherwise that of the policy.
     */
    static LongUnaryOperator slack(ShardWritePolicy policy, ChunkCodec inner) {
        return isWhole(policy, inner) ? slot(inner) : policy.slack()::after;
    }

    /**
     * Returns the function that computes the rest of the slot from the size of an inner chunk; 0 if another writer made
     * the inner chunk larger than its slot.
     */
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
