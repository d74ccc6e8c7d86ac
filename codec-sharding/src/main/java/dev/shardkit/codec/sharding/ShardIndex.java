package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Partitioned.Layout;
import dev.shardkit.spi.codec.Rewriting.Kept;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import java.util.Arrays;
import java.util.Optional;

/**
 * The index of one shard: the byte range of each inner chunk, by number. Entries are untrusted until {@link #check} has
 * accepted them. Immutable.
 */
final class ShardIndex implements Layout {
    /** The offset and the size in the entry of an inner chunk that is not stored. */
    static final long NONE = -1;

    private final long[] entries;
    private final Extent self;
    private final long shardSize;

    /**
     * Wraps {@code entries}: offset and size of each inner chunk in turn.
     *
     * @param self the byte range of the index in the shard
     */
    ShardIndex(long[] entries, Extent self, long shardSize) {
        this.entries = entries;
        this.self = self;
        this.shardSize = shardSize;
    }

    /** Returns the entries of a shard without inner chunks. */
    static long[] noEntries(long count) {
        long[] entries = new long[Math.toIntExact(2 * count)];
        Arrays.fill(entries, NONE);
        return entries;
    }

    @Override
    public long count() {
        return entries.length / 2;
    }

    @Override
    public Extent index() {
        return self;
    }

    @Override
    public long shardSize() {
        return shardSize;
    }

    @Override
    public Optional<Extent> extent(long i) {
        return isMissing(i) ? Optional.empty() : Optional.of(new Extent(offset(i), size(i)));
    }

    /** Returns a copy of the entries: offset and size of each inner chunk in turn. */
    long[] entries() {
        return entries.clone();
    }

    /** Returns this index without the inner chunks that are not kept. */
    ShardIndex keeping(Kept kept) {
        long[] left = entries.clone();
        for (int i = 0; i < left.length; i += 2) {
            if (!isMissing(i / 2) && !kept.keeps(i / 2)) {
                left[i] = NONE;
                left[i + 1] = NONE;
            }
        }
        return new ShardIndex(left, self, shardSize);
    }

    /**
     * Returns an index with only the entries whose bytes belong to inner chunks. Valid entries stay unchanged. If the
     * index is at the start and the object was truncated, an entry that starts within the object is cut at its end. All
     * other entries become missing.
     */
    ShardIndex named() {
        long[] named = entries.clone();
        for (int i = 0; i < named.length; i += 2) {
            if (fault(i / 2).isPresent()) {
                boolean truncated = self.offset() == 0
                        && named[i] >= self.size()
                        && named[i] < shardSize
                        && named[i + 1] > shardSize - named[i];
                named[i] = truncated ? named[i] : NONE;
                named[i + 1] = truncated ? shardSize - named[i] : NONE;
            }
        }
        return new ShardIndex(named, self, shardSize);
    }

    /** Returns the byte range that the index leaves for inner chunks. */
    Extent room() {
        return self.offset() == 0 ? new Extent(self.size(), shardSize - self.size()) : new Extent(0, self.offset());
    }

    /** Whether inner chunk {@code i} is not stored. */
    boolean isMissing(long i) {
        return offset(i) == NONE && size(i) == NONE;
    }

    /** Whether no inner chunk is stored. */
    boolean isEmpty() {
        for (long word : entries) {
            if (word != NONE) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first byte of inner chunk {@code i}. */
    long offset(long i) {
        return entries[(int) (2 * i)];
    }

    /** Returns the size of inner chunk {@code i} in bytes. */
    long size(long i) {
        return entries[(int) (2 * i + 1)];
    }

    /**
     * Rejects the entry of inner chunk {@code i} if it is invalid.
     *
     * @param shard the place of the shard, for the error
     */
    void check(long i, Cells cells, Place shard) {
        Optional<String> fault = fault(i);
        if (fault.isPresent()) {
            throw new CorruptDataException("shard index: offset " + Long.toUnsignedString(offset(i)) + ", nbytes "
                            + Long.toUnsignedString(size(i)) + ": " + fault.get())
                    .locate(Optional.empty(), Optional.of(shard.inner(cells.cell(i))), Optional.empty());
        }
    }

    /** Rejects the first invalid entry. */
    void checkAll(Cells cells, Place shard) {
        for (long i = 0; i < count(); i++) {
            check(i, cells, shard);
        }
    }

    /** Returns the error in the entry of inner chunk {@code i}; empty if the entry is valid. */
    Optional<String> fault(long i) {
        long offset = offset(i);
        long size = size(i);
        if (offset == NONE && size == NONE) {
            return Optional.empty();
        } else if (offset == NONE || size == NONE) {
            return Optional.of("expected both or none to be 2^64-1, which marks an empty inner chunk");
        } else if (offset < 0 || size < 0 || offset > shardSize - size) {
            return Optional.of("expected an end within the shard's " + shardSize + " bytes");
        } else if (size > 0 && offset < self.offset() + self.size() && self.offset() < offset + size) {
            return Optional.of("expected inner chunks outside the index, which has bytes " + self.offset() + " to "
                    + (self.offset() + self.size()));
        }
        return Optional.empty();
    }

    /** Returns the size in memory in bytes. */
    long weight() {
        return 64 + 8L * entries.length;
    }
}
