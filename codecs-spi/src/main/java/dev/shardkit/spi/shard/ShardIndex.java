package dev.shardkit.spi.shard;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import dev.shardkit.spi.codec.ShardRewriting.Kept;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The index of one shard: the byte range of each inner chunk. Inner chunks are numbered from 0 in C order (the last
 * dimension varies fastest). Entries are untrusted until {@link #check} has accepted them. Immutable.
 */
public final class ShardIndex implements Layout {
    /** The offset and the size in the entry of an inner chunk that is not stored: 2^64-1 in the file. */
    public static final long NONE = -1;

    private final long[] entries;
    private final Extent indexExtent;
    private final long shardSize;

    /**
     * Wraps {@code entries}: offset and size of each inner chunk in turn.
     *
     * @param indexExtent the byte range of the index in the shard
     */
    public ShardIndex(long[] entries, Extent indexExtent, long shardSize) {
        this.entries = entries;
        this.indexExtent = indexExtent;
        this.shardSize = shardSize;
    }

    /** Returns the entries of a shard without inner chunks. */
    public static long[] noEntries(long count) {
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
        return indexExtent;
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
    public long[] entries() {
        return entries.clone();
    }

    /** Returns this index without the inner chunks that are not kept. */
    public ShardIndex keeping(Kept kept) {
        long[] remaining = entries.clone();
        for (int i = 0; i < remaining.length; i += 2) {
            if (!isMissing(i / 2) && !kept.keeps(i / 2)) {
                remaining[i] = NONE;
                remaining[i + 1] = NONE;
            }
        }
        return new ShardIndex(remaining, indexExtent, shardSize);
    }

    /**
     * Returns an index with only the entries whose bytes belong to inner chunks. Valid entries stay unchanged. If the
     * index is at the start and the object was truncated, an entry that starts within the object is shortened to end
     * with the object. All other entries become missing.
     */
    public ShardIndex named() {
        long[] entriesOfChunks = entries.clone();
        for (int i = 0; i < entriesOfChunks.length; i += 2) {
            if (fault(i / 2).isPresent()) {
                boolean truncated = indexExtent.offset() == 0
                        && entriesOfChunks[i] >= indexExtent.size()
                        && entriesOfChunks[i] < shardSize
                        && entriesOfChunks[i + 1] > shardSize - entriesOfChunks[i];
                entriesOfChunks[i] = truncated ? entriesOfChunks[i] : NONE;
                entriesOfChunks[i + 1] = truncated ? shardSize - entriesOfChunks[i] : NONE;
            }
        }
        return new ShardIndex(entriesOfChunks, indexExtent, shardSize);
    }

    /** Returns the byte range that the index leaves for inner chunks. */
    public Extent innerRange() {
        return indexExtent.offset() == 0
                ? new Extent(indexExtent.size(), shardSize - indexExtent.size())
                : new Extent(0, indexExtent.offset());
    }

    /** Returns whether inner chunk {@code i} is not stored. */
    public boolean isMissing(long i) {
        return offset(i) == NONE && size(i) == NONE;
    }

    /** Returns whether no inner chunk is stored. */
    public boolean isEmpty() {
        for (long word : entries) {
            if (word != NONE) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first byte of inner chunk {@code i}. */
    public long offset(long i) {
        return entries[(int) (2 * i)];
    }

    /** Returns the size of inner chunk {@code i} in bytes. */
    public long size(long i) {
        return entries[(int) (2 * i + 1)];
    }

    /**
     * Returns the first inner chunk from {@code i} on whose entry, valid or not, names bytes from {@code begin} to
     * {@code end} (exclusive); {@link #count} if there is none. A change of one inner chunk looks at all entries, so
     * for speed this loop calls no methods. It need not test for missing inner chunks: their offset and size are -1, so
     * they end at -2, before any byte.
     */
    public long next(long begin, long end, long i) {
        int word = (int) (2 * i);
        while (word < entries.length && (entries[word] >= end || entries[word] + entries[word + 1] <= begin)) {
            word += 2;
        }
        return word / 2;
    }

    /**
     * Rejects the entry of inner chunk {@code i} if it is invalid.
     *
     * @param counts the number of inner chunks of the shard in each dimension
     * @param shard the place of the shard, for the error
     */
    public void check(long i, long[] counts, DataLocation shard) {
        Optional<String> fault = fault(i);
        if (fault.isPresent()) {
            throw new CorruptDataException("shard index: offset " + Long.toUnsignedString(offset(i)) + ", nbytes "
                            + Long.toUnsignedString(size(i)) + ": " + fault.get())
                    .locate(Optional.empty(), Optional.of(shard.inner(Shapes.unravel(i, counts))), Optional.empty());
        }
    }

    /** Rejects the first invalid entry. */
    public void checkAll(long[] counts, DataLocation shard) {
        for (long i = 0; i < count(); i++) {
            check(i, counts, shard);
        }
    }

    /** Returns the error in the entry of inner chunk {@code i}; empty if the entry is valid. */
    public Optional<String> fault(long i) {
        long offset = offset(i);
        long size = size(i);
        if (offset == NONE && size == NONE) {
            return Optional.empty();
        } else if (offset == NONE || size == NONE) {
            return Optional.of("expected both or none to be 2^64-1, which marks an empty inner chunk");
        } else if (offset < 0 || size < 0 || offset > shardSize - size) {
            return Optional.of("expected an end within the shard's " + shardSize + " bytes");
        } else if (size > 0
                && offset < indexExtent.offset() + indexExtent.size()
                && indexExtent.offset() < offset + size) {
            return Optional.of("expected inner chunks outside the index, which has bytes " + indexExtent.offset()
                    + " to " + (indexExtent.offset() + indexExtent.size()));
        }
        return Optional.empty();
    }

    /**
     * Returns whether the stored inner chunks have more bytes in total than the shard has for them, so that some inner
     * chunks share bytes. A rewrite must then store the bytes of equal entries only once.
     *
     * @param shard the place of the shard, for the error
     * @throws CorruptDataException if equal entries do not explain the excess: inner chunks overlap in part, so a
     *     rewrite could make a small shard grow without limit
     */
    public boolean overlaps(DataLocation shard) {
        long available = shardSize - indexExtent.size();
        boolean overlap = exceeds(available, null);
        if (overlap && exceeds(available, new HashSet<>())) {
            throw new CorruptDataException("shard index: inner chunks that overlap and differ have more bytes than the "
                            + available + " that the shard has for them")
                    .locate(Optional.empty(), Optional.of(shard), Optional.empty());
        }
        return overlap;
    }

    /**
     * Returns whether the total size of the inner chunks exceeds {@code available}.
     *
     * @param counted an empty set, if equal extents count only once; null if each counts
     */
    private boolean exceeds(long available, @Nullable Set<Extent> counted) {
        long remaining = available;
        for (long i = 0; i < count() && remaining >= 0; i++) {
            Optional<Extent> extent = extent(i);
            if (extent.isPresent() && (counted == null || counted.add(extent.get()))) {
                remaining -= extent.get().size();
            }
        }
        return remaining < 0;
    }

    /**
     * Returns the source of inner chunk {@code i}, whose entry must have been checked; absent if it is not stored.
     *
     * @param index the index of {@code shard}; empty if the shard does not exist
     * @param cell the coordinates of the inner chunk
     */
    public static Source source(Optional<ShardIndex> index, long i, Source shard, long[] cell) {
        return index.flatMap(entries -> entries.extent(i))
                .map(e -> shard.inner(cell, e.offset(), e.size()))
                .orElseGet(() -> Source.absent(shard.location().inner(cell)));
    }

    /**
     * Returns the result of the read of an index of {@code size} bytes; empty if the shard does not exist.
     *
     * @throws CorruptDataException if the shard is shorter than {@code size}
     */
    public static Optional<ReadResult.Found> found(ReadResult result, long size) {
        if (!(result instanceof ReadResult.Found found)) {
            return Optional.empty();
        }
        if (found.bytes().size() != size) {
            throw new CorruptDataException("a shard shorter than its index: expected at least " + size
                    + " bytes, found " + found.sourceSize());
        }
        return Optional.of(found);
    }

    /** Returns the size in memory in bytes. */
    public long weight() {
        return 64 + 8L * entries.length;
    }
}
