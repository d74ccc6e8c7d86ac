package dev.shardkit.spi.shard;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Partitioned.Layout;
import dev.shardkit.spi.codec.Rewriting.Kept;
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
 * The index of one shard: the byte range of each inner chunk, by number. Entries are untrusted until {@link #check} has
 * accepted them. Immutable.
 */
public final class ShardIndex implements Layout {
    /** The offset and the size in the entry of an inner chunk that is not stored. */
    public static final long NONE = -1;

    private final long[] entries;
    private final Extent self;
    private final long shardSize;

    /**
     * Wraps {@code entries}: offset and size of each inner chunk in turn.
     *
     * @param self the byte range of the index in the shard
     */
    public ShardIndex(long[] entries, Extent self, long shardSize) {
        this.entries = entries;
        this.self = self;
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
    public long[] entries() {
        return entries.clone();
    }

    /** Returns this index without the inner chunks that are not kept. */
    public ShardIndex keeping(Kept kept) {
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
    public ShardIndex named() {
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
    public Extent room() {
        return self.offset() == 0 ? new Extent(self.size(), shardSize - self.size()) : new Extent(0, self.offset());
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
     * Returns the first inner chunk from {@code i} on whose entry, valid or not, names bytes from {@code from} to
     * {@code to} (exclusive); {@link #count} if there is none. A change of one inner chunk looks at all entries, so
     * this is a loop over words.
     */
    public long next(long from, long to, long i) {
        int at = (int) (2 * i);
        while (at < entries.length && (entries[at] >= to || entries[at] + entries[at + 1] <= from)) {
            at += 2;
        }
        return at / 2;
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
        } else if (size > 0 && offset < self.offset() + self.size() && self.offset() < offset + size) {
            return Optional.of("expected inner chunks outside the index, which has bytes " + self.offset() + " to "
                    + (self.offset() + self.size()));
        }
        return Optional.empty();
    }

    /**
     * Returns whether the stored inner chunks have more bytes in total than the shard. In that case, a rewrite must
     * keep equal entries equal. If that does not suffice, rewriting could make a small shard grow without limit, so it
     * is rejected.
     *
     * @param shard the place of the shard, for the error
     */
    public boolean overlaps(DataLocation shard) {
        long room = shardSize - self.size();
        boolean overlap = exceeds(room, null);
        if (overlap && exceeds(room, new HashSet<>())) {
            throw new CorruptDataException("shard index: inner chunks that overlap and differ have more bytes than the "
                            + room + " that the shard has for them")
                    .locate(Optional.empty(), Optional.of(shard), Optional.empty());
        }
        return overlap;
    }

    /** Returns whether the total size exceeds {@code room}; each extent counts once if {@code seen} is given. */
    private boolean exceeds(long room, @Nullable Set<Extent> seen) {
        long left = room;
        for (long i = 0; i < count() && left >= 0; i++) {
            Optional<Extent> extent = extent(i);
            if (extent.isPresent() && (seen == null || seen.add(extent.get()))) {
                left -= extent.get().size();
            }
        }
        return left < 0;
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
                .orElseGet(() -> Source.absent(shard.place().inner(cell)));
    }

    /**
     * Returns the answer to the read of an index of {@code size} bytes; empty if the shard does not exist.
     *
     * @throws CorruptDataException if the shard is shorter
     */
    public static Optional<ReadResult.Found> found(ReadResult answer, long size) {
        if (!(answer instanceof ReadResult.Found found)) {
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
