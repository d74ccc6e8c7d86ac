package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * The index at the end of a shard: where each chunk lies, by its number. A shard that is not there has one of missing
 * chunks. Entries are believed once {@link #check} has passed them. Immutable.
 */
final class ShardIndex {
    /** An offset and a size. */
    static final int ENTRY_BYTES = 16;

    /** Both numbers of a chunk that is not stored. */
    static final long NONE = -1;

    private final long[] words;
    private final long shardSize;

    /** What decoded indexes are kept under. */
    private record Identity(long count) {}

    private ShardIndex(long[] words, long shardSize) {
        this.words = words;
        this.shardSize = shardSize;
    }

    /** Reads the index of a shard of {@code count} chunks; empty if there is no such shard. */
    static Plan<Optional<ShardIndex>> read(Source shard, long count) {
        if (shard.isAbsent()) {
            return Plan.done(Optional.empty());
        }
        return shard.read(
                new ByteRange.Suffix(count * ENTRY_BYTES),
                Decoder.kept(
                        new Identity(count),
                        index -> 64 + index.map(i -> 8L * i.words.length).orElse(0L),
                        (answer, scratch) -> decode(answer, count)));
    }

    private static Optional<ShardIndex> decode(Answer answer, long count) {
        if (!(answer instanceof Answer.Found found)) {
            return Optional.empty();
        }
        if (found.bytes().size() != count * ENTRY_BYTES) {
            throw new CorruptDataException("a shard shorter than its index: expected at least " + count * ENTRY_BYTES
                    + " bytes, found " + found.sourceSize());
        }
        long[] words = new long[Math.toIntExact(2 * count)];
        found.bytes().buffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
        return Optional.of(new ShardIndex(words, found.sourceSize()));
    }

    /** The bytes of entries: offset and size of each chunk in turn. */
    static Bytes encode(long[] words) {
        ByteBuffer buffer = ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asLongBuffer().put(words);
        return Bytes.of(buffer);
    }

    /** The entries of a shard without chunks. */
    static long[] noEntries(long count) {
        long[] words = new long[Math.toIntExact(2 * count)];
        Arrays.fill(words, NONE);
        return words;
    }

    /** How many bytes the shard has. */
    long shardSize() {
        return shardSize;
    }

    /** Where the index begins. */
    long begin() {
        return shardSize - (long) words.length * Long.BYTES;
    }

    /** Whether chunk {@code i} is stored. */
    boolean has(long i) {
        return offset(i) != NONE || size(i) != NONE;
    }

    /** Whether any chunk is stored. */
    boolean hasAny() {
        return Arrays.stream(words).anyMatch(w -> w != NONE);
    }

    /** The first byte of chunk {@code i}. */
    long offset(long i) {
        return words[(int) (2 * i)];
    }

    /** The bytes of chunk {@code i}. */
    long size(long i) {
        return words[(int) (2 * i + 1)];
    }

    /** The chunk with number {@code i} and place {@code cell} of {@code shard}. */
    Source chunk(long i, long[] cell, Source shard) {
        check(i, cell, shard.place());
        return has(i)
                ? shard.inner(cell, offset(i), size(i))
                : Source.absent(shard.place().inner(cell));
    }

    /** Refuses an entry that cannot be. */
    void check(long i, long[] cell, Place shard) {
        long offset = offset(i);
        long size = size(i);
        boolean half = (offset == NONE) != (size == NONE);
        boolean outside = has(i) && !half && (offset < 0 || size < 0 || offset > begin() - size);
        if (half || outside) {
            throw new CorruptDataException("shard index: offset " + Long.toUnsignedString(offset) + ", nbytes "
                            + Long.toUnsignedString(size) + ": expected "
                            + (half
                                    ? "both or none to be 2^64-1, which marks a missing chunk"
                                    : "an end before the index, which begins at " + begin()))
                    .locate(Optional.empty(), Optional.of(shard.inner(cell)), Optional.empty());
        }
    }
}
