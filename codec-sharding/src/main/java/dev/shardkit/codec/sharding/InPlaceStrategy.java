package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Overwrites inner chunks in place, and the index if an entry changes. This strategy applies if each changed inner
 * chunk was stored before, and its new bytes fit into its old range and the unused bytes after it. An inner chunk that
 * shrinks leaves zeros. A removed inner chunk only disappears from the index. A parameter {@code edit} is the index of
 * an edit in {@code inner}. Performs no I/O. Not thread-safe.
 */
final class InPlaceStrategy {
    private final InnerEdits inner;
    private final ShardIndex index;
    /** The new entries of the index; null as long as they equal the old ones. */
    private long @Nullable [] entries;

    private final List<Edit.Write> writes = new ArrayList<>();
    /** The byte ranges to write: maps the start of each range to its end and its edit. */
    private final NavigableMap<Long, Claim> claims = new TreeMap<>();

    /** The numbers of the inner chunks that the edits change. */
    private final Set<Long> numbers = new HashSet<>();
    /** The unused bytes into which inner chunks grow. */
    private final List<Extent> grown = new ArrayList<>();

    /** The old byte ranges of removed inner chunks. */
    private final List<Extent> removed = new ArrayList<>();

    /**
     * A byte range that an edit writes.
     *
     * @param end the first byte behind the range
     */
    private record Claim(long end, int edit) {}

    InPlaceStrategy(InnerEdits inner, ShardIndex index) {
        this.inner = inner;
        this.index = index;
    }

    /** Tries to write in place. */
    Plan<StrategyResult> plan(Scratch scratch) {
        Optional<String> reason = collect().or(this::conflict);
        if (reason.isPresent()) {
            return Plan.done(new StrategyResult.Declined(reason.get()));
        }
        long[] changed = entries;
        if (changed == null) {
            return Plan.done(new StrategyResult.Applied(patch()));
        }
        index.checkAll(inner.cells().counts(), inner.shard().location());
        ReferencedRanges rangesBefore = ReferencedRanges.of(index.entries());
        ReferencedRanges rangesAfter = ReferencedRanges.of(changed);
        long end = rangesBefore.end(0);
        long writtenEnd = claims.isEmpty() ? 0 : claims.lastEntry().getValue().end();
        writes.addAll(
                inner.index().isSearchable() // then old indexes identify all other unused bytes
                        ? UnusedBytesMark.of(removed)
                        : UnusedBytesMark.of(rangesBefore, rangesAfter, end, end, writtenEnd));
        writes.add(new Edit.Write(index.index().offset(), inner.index().encode(changed, scratch)));
        return ZeroBytes.areZeroAt(inner.shard(), mustBeZero(rangesBefore))
                .map(zeros -> zeros
                        ? new StrategyResult.Applied(patch())
                        : new StrategyResult.Declined(
                                "the unused bytes after an inner chunk may be foreign or part of an old index"));
    }

    private Edit.Patch patch() {
        return new Edit.Patch(
                index.shardSize(),
                List.of(),
                writes,
                Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.IN_PLACE,
                Optional.empty());
    }

    /** Collects the writes of all edits; returns the reason if one edit does not fit in place. */
    private Optional<String> collect() {
        for (int edit = 0; edit < inner.count(); edit++) {
            if (inner.isSame(edit)) {
                continue;
            }
            Optional<Extent> old = inner.oldExtent(edit);
            if (old.isEmpty()) {
                return Optional.of(inner.name(edit) + " is new");
            }
            numbers.add(inner.number(edit));
            Optional<String> reason =
                    inner.edits().get(edit) instanceof Edit.Delete ? remove(edit) : add(edit, old.get());
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    /** Removes an inner chunk from the index, which is always possible. */
    private Optional<String> remove(int edit) {
        removed.add(inner.oldExtent(edit).orElseThrow());
        set(edit, ShardIndex.NONE, ShardIndex.NONE);
        return Optional.empty();
    }

    /** Sets the new index entry of the inner chunk of edit {@code edit}. */
    private void set(int edit, long offset, long size) {
        long[] changed = entries == null ? index.entries() : entries;
        int word = (int) (2 * inner.number(edit));
        changed[word] = offset;
        changed[word + 1] = size;
        entries = changed;
    }

    /** Adds the writes of an edit with new bytes; returns the reason if it does not fit in place. */
    private Optional<String> add(int edit, Extent old) {
        Edit change = inner.edits().get(edit);
        long size;
        Optional<String> obstacle;
        if (change instanceof Edit.Patch patch) {
            if (patch.oldSize() != old.size() || !patch.overwritten().stream().allMatch(w -> isInside(w, old))) {
                throw new IllegalArgumentException(
                        "a patch of more than an inner chunk of " + old.size() + " bytes: " + patch);
            }
            patch.overwritten().forEach(w -> writes.add(new Edit.Write(old.offset() + w.offset(), w.bytes())));
            size = patch.size();
            obstacle = write(patch.appended(), old.offset() + old.size(), patch.fallbackReason());
        } else {
            Edit.Replace replace = (Edit.Replace) change;
            size = replace.size();
            obstacle = write(replace.pieces(), old.offset(), replace.fallbackReason());
            if (size < old.size()) {
                writes.add(new Edit.Write(old.offset() + size, Bytes.zeros(old.size() - size)));
            }
        }
        if (obstacle.isPresent()) {
            return obstacle.map(reason -> inner.name(edit) + ": " + reason);
        }
        if (size != old.size()) {
            set(edit, old.offset(), size);
        }
        return claim(edit, old, size);
    }

    private static boolean isInside(Edit.Write write, Extent old) {
        return write.offset() >= 0
                && write.offset() <= old.size() - write.bytes().size();
    }

    /** Adds pieces as writes from {@code offset} on; returns the reason if a piece would have to move. */
    private Optional<String> write(List<Piece> pieces, long offset, Optional<String> fallbackReason) {
        long position = offset;
        for (Piece piece : pieces) {
            if (piece instanceof Piece.Copied) {
                return fallbackReason.or(() -> Optional.of("the edit moves bytes"));
            }
            writes.add(
                    new Edit.Write(position, piece instanceof Piece.Literal l ? l.bytes() : Bytes.zeros(piece.size())));
            position += piece.size();
        }
        return Optional.empty();
    }

    /** Claims the byte range of an edit; returns the reason if it is too large, or claimed by another edit. */
    private Optional<String> claim(int edit, Extent old, long size) {
        Extent innerRange = index.innerRange();
        long claimedSize = Math.max(size, old.size());
        if (claimedSize > innerRange.offset() + innerRange.size() - old.offset()) {
            return Optional.of(tooLarge(edit, old, size, innerRange.offset() + innerRange.size()));
        }
        if (size > old.size()) {
            grown.add(new Extent(old.offset() + old.size(), size - old.size()));
        }
        Optional<Claim> conflicting = claimed(old.offset(), claimedSize);
        if (claimedSize > 0) {
            claims.put(old.offset(), new Claim(old.offset() + claimedSize, edit));
        }
        return conflicting.map(c -> inner.name(edit) + " and " + inner.name(c.edit()) + " have bytes in common");
    }

    private String tooLarge(int edit, Extent old, long size, long end) {
        return inner.name(edit) + " now has " + size + " bytes, but at byte " + old.offset()
                + " there is only room for " + (end - old.offset());
    }

    /** Returns a claim that overlaps a byte range, if there is one. */
    private Optional<Claim> claimed(long offset, long size) {
        Map.Entry<Long, Claim> nearest = claims.lowerEntry(offset + size);
        return size > 0 && nearest != null && nearest.getValue().end() > offset
                ? Optional.of(nearest.getValue())
                : Optional.empty();
    }

    /** Returns the reason if a range to write belongs to another inner chunk. */
    private Optional<String> conflict() {
        if (claims.isEmpty()) {
            return Optional.empty();
        }
        long begin = claims.firstKey();
        long end = claims.lastEntry().getValue().end();
        for (long i = index.next(begin, end, 0); i < index.count(); i = index.next(begin, end, i + 1)) {
            Optional<String> reason = conflict(i);
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    /** Returns the reason if a range to write belongs to inner chunk {@code i}, which no edit changes. */
    private Optional<String> conflict(long i) {
        if (index.isMissing(i) || index.fault(i).isPresent() || numbers.contains(i)) {
            return Optional.empty();
        }
        return claimed(index.offset(i), index.size(i)).map(claim -> {
            int edit = claim.edit();
            Extent old = inner.oldExtent(edit).orElseThrow();
            return index.offset(i) >= old.offset() + old.size()
                    ? tooLarge(edit, old, claim.end() - old.offset(), index.offset(i))
                    : inner.name(edit) + " overlaps inner chunk "
                            + Arrays.toString(inner.cells().cell(i));
        });
    }

    /**
     * Returns the bytes that must be zero, so that growing inner chunks overwrite nothing of value. These are the new
     * bytes after the last inner chunk, where a footer may be. In shards with {@linkplain IndexFormat#isSearchable
     * searchable} indexes, they are the new bytes of all growing inner chunks, since an old index may be there. An old
     * index must stay, because it proves that the bytes of its entries are not foreign ({@link ForeignBytes}).
     */
    private List<Extent> mustBeZero(ReferencedRanges ranges) {
        boolean mayHaveFooter = inner.policy().foreignBytes() != ShardWritePolicy.ForeignBytes.DROP;
        boolean mayHaveOldIndexes = inner.index().isSearchable();
        long end = ranges.end(0);
        List<Extent> candidates = new ArrayList<>();
        for (Extent e : grown) {
            if (mayHaveOldIndexes) {
                candidates.add(withNextEntry(e, ranges));
            } else if (mayHaveFooter && e.offset() + e.size() > end) {
                long begin = Math.max(e.offset(), end);
                candidates.add(new Extent(begin, e.offset() + e.size() - begin));
            }
        }
        return candidates;
    }

    /**
     * Extends a range by the size of an index entry, at most up to the next inner chunk. An old index may begin in the
     * last bytes of the range. Its first entry may begin with zeros, for the offset 0, but its length is not zero.
     */
    private Extent withNextEntry(Extent range, ReferencedRanges ranges) {
        long end = index.innerRange().offset() + index.innerRange().size();
        long limit = ranges.next(range.offset() + range.size(), end);
        return new Extent(range.offset(), Math.min(limit - range.offset(), range.size() + 2 * Long.BYTES));
    }
}
