package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An array-to-bytes codec, or a whole codec chain, bound to one chunk type. Immutable and thread-safe; performs no I/O.
 *
 * <p>Parts are boxes in chunk coordinates. A target or feed passed with a part covers only that part: its index zero is
 * the part's origin.
 */
public interface ChunkCodec {
    /** Returns the chunk type that this codec is bound to. */
    ChunkType type();

    /** Returns the size of every encoding; empty, the default, if it depends on the elements. */
    default OptionalLong encodedSize() {
        return OptionalLong.empty();
    }

    /**
     * Returns the room in bytes that a shard reserves for each inner chunk of this codec
     * ({@link ShardWritePolicy.Allocation#WHOLE}): {@link #encode} never returns more bytes. Empty if there is no such
     * bound. By default, returns the fixed size.
     */
    default OptionalLong reservedSize() {
        return encodedSize();
    }

    /** Returns an upper bound on the size of a valid encoding, whatever program wrote it. */
    long maxEncodedSize();

    /**
     * Encodes a whole chunk into newly allocated memory.
     *
     * @return empty if all elements equal the fill value and {@code policy} drops such chunks
     */
    Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch);

    /** Decodes {@code part} of a whole encoded chunk and writes every element of it. */
    void decode(Bytes encoded, Box part, Target target, Scratch scratch);

    /**
     * Returns a plan that reads the bytes needed for {@code part} and writes every element of it. If the source is
     * absent, it writes the fill value.
     */
    default Plan<NoResult> decodeInto(Source source, Box part, Target target) {
        return source.read(ByteRange.whole(maxEncodedSize()), (result, scratch) -> {
            if (result instanceof ReadResult.Found f) {
                decode(f.bytes(), part, target, scratch);
            } else {
                target.fill(type().fill(), Box.of(part.shape()));
            }
            return NoResult.INSTANCE;
        });
    }

    /**
     * Returns a plan that reads the bytes needed to overwrite {@code part} and returns the edit of the stored bytes.
     * Where {@code values} has holes, the stored elements are kept.
     */
    default Plan<Edit> update(Source old, Box part, Feed values, ShardWritePolicy policy) {
        Coverage coverage = values.coverage(Box.of(part.shape()));
        if (coverage == Coverage.NONE) {
            return Plan.done(new Edit.Keep());
        }
        if (part.equals(type().box()) && coverage != Coverage.SOME) {
            if (coverage == Coverage.FILL && policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP) {
                return Plan.done(new Edit.Delete());
            }
            return Plan.defer(old.location(), scratch -> Plan.done(edit(encode(values, policy, scratch))));
        }
        return old.read(ByteRange.whole(maxEncodedSize()), (result, scratch) -> {
            DenseChunk chunk = DenseChunk.filled(type());
            if (result instanceof ReadResult.Found f) {
                decode(f.bytes(), type().box(), chunk.target(), scratch);
            }
            values.get(
                    Box.of(part.shape()),
                    chunk.elements(),
                    part.firstIn(type().shape()),
                    Shapes.strides(type().shape()));
            return edit(encode(chunk.feed(), policy, scratch));
        });
    }

    /**
     * Returns the shape of the smallest boxes that can be read separately: the innermost inner chunks of a shard,
     * otherwise the whole chunk. They tile the chunk from its origin.
     */
    default long[] readShape() {
        return type().shape();
    }

    /** Returns access to the inner chunks, if this is a shard whose inner chunks can be read separately. */
    default Optional<ShardAccess> shardAccess() {
        return Optional.empty();
    }

    /** Returns access to the byte ranges of parts, if every encoding has the same layout. */
    default Optional<FixedLayout> fixedLayout() {
        return Optional.empty();
    }

    private static Edit edit(Optional<Bytes> encoded) {
        return encoded.map(Edit::replace).orElseGet(Edit.Delete::new);
    }
}
