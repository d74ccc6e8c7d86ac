package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.plan.Unit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An array-to-bytes codec, or a whole chain, bound to one chunk type. Immutable and thread-safe; never touches a store.
 *
 * <p>Parts are boxes within the chunk. A target or feed that comes with a part covers just the part: its index zero is
 * the part's origin.
 */
public interface ChunkCodec {
    /** What it is bound to. */
    ChunkType type();

    /** The size of every encoding, for codecs where it does not depend on the elements. */
    OptionalLong encodedSize();

    /** A bound on the size of any legal encoding, whoever wrote it; generous. */
    long maxEncodedSize();

    /**
     * Encodes a whole chunk, in memory of its own.
     *
     * @return empty if it holds nothing but the fill value and {@code policy} drops such chunks
     */
    Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch);

    /** Decodes {@code part} of a whole encoded chunk; writes every element of it. */
    void decode(Bytes encoded, Box part, Target out, Scratch scratch);

    /** A plan that reads what {@code part} needs and writes every element of it; absent is the fill value. */
    default Plan<Unit> decodeInto(Source in, Box part, Target out) {
        return in.read(ByteRange.whole(maxEncodedSize()), (answer, scratch) -> {
            if (answer instanceof Answer.Found f) {
                decode(f.bytes(), part, out, scratch);
            } else {
                out.fill(type().fill(), Box.of(part.shape()));
            }
            return Unit.UNIT;
        });
    }

    /**
     * A plan that reads what is needed to overwrite {@code part}, and says what becomes of the stored bytes. Where
     * {@code with} has holes, what is stored stays.
     */
    default Plan<Edit> update(Source old, Box part, Feed with, WritePolicy policy) {
        Coverage given = with.coverage(Box.of(part.shape()));
        if (given == Coverage.NONE) {
            return Plan.done(new Edit.Keep());
        }
        if (part.equals(type().box()) && given != Coverage.SOME) {
            if (given == Coverage.FILL && policy.emptyChunks() == WritePolicy.EmptyChunks.DROP) {
                return Plan.done(new Edit.Absent());
            }
            return Plan.defer(old.place(), scratch -> Plan.done(edit(encode(with, policy, scratch))));
        }
        return old.read(ByteRange.whole(maxEncodedSize()), (answer, scratch) -> {
            DenseChunk chunk = DenseChunk.filled(type());
            if (answer instanceof Answer.Found f) {
                decode(f.bytes(), type().box(), chunk.target(), scratch);
            }
            with.get(
                    Box.of(part.shape()),
                    chunk.elements(),
                    Shapes.ravel(part.origin(), type().shape()),
                    Shapes.strides(type().shape()));
            return edit(encode(chunk.feed(), policy, scratch));
        });
    }

    /**
     * The shape of the smallest boxes that can be read by themselves: the innermost inner chunks of a shard, otherwise
     * the whole chunk. Chunks are tiled by it from their origin.
     */
    default long[] readShape() {
        return type().shape();
    }

    /** Its inside, if it is a shard whose inner chunks can be had one by one. */
    default Optional<Partitioned> partitioned() {
        return Optional.empty();
    }

    /** Where parts lie in every encoding, if that is so. */
    default Optional<Spanned> spanned() {
        return Optional.empty();
    }

    private static Edit edit(Optional<Bytes> encoded) {
        return encoded.map(Edit::replace).orElseGet(Edit.Absent::new);
    }
}
