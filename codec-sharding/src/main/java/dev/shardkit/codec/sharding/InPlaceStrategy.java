package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
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
 * Overwrites inner chunks in place, and the index where an entry changes. This applies if each changed inner chunk was
 * stored before, and its new bytes fit into the old range plus the unused bytes after it, which no other inner chunk
 * may use. An inner chunk that shrinks leaves zeros; one that is removed only disappears from the index. Performs no
 * I/O. Not thread-safe.
 */
final class InPlaceStrategy {
    private final InnerEdits inner;
    private final ShardIndex before;
    /** The new entries of the index; null as long as they equal the old ones. */
    private long @Nullable [] entries;

    private final List<Edit.Write> writes = new ArrayList<>();
    /** The byte ranges to write: start to end and edit. */
    private final NavigableMap<Long, Claim> claims = new TreeMap<>();

    private final Set<Long> numbers = new HashSet<>();
    /** The unused bytes into which inner chunks grow. */
    private final List<Extent> grown = new ArrayList<>();

    private final List<Extent> removed = new ArrayList<>();

    private record Claim(long end, int edit) {}

    InPlaceStrategy(InnerEdits inner, ShardIndex before) {
        this.inner = inner;
        this.before = before;
    }

    /** Tries to write in place. */
    Plan<StrategyResult> plan(Scratch scratch) {
        Optional<String> why = collect().or(this::conflict);
        if (why.isPresent()) {
            return Plan.done(new StrategyResult.Declined(why.get()));
        }
        long[] changed = entries;
        if (changed == null) {
            return Plan.done(new StrategyResult.Made(patch()));
        }
        before.checkAll(inner.cells().counts(), inner.shard().place());
        ReferencedRanges named = ReferencedRanges.of(before.entries());
        ReferencedRanges after = ReferencedRanges.of(changed);
        long end = named.end(0);
        long written = claims.isEmpty() ? 0 : claims.lastEntry().getValue().end();
        writes.addAll(
                inner.index().isSearchable()
                        ? UnusedBytesMark.of(removed)
                        : UnusedBytesMark.of(named, after, end, end, written));
        writes.add(new Edit.Write(before.index().offset(), inner.index().encode(changed, scratch)));
        return ZeroBytes.at(inner.shard(), doubtful(named))
                .map(zeros -> zeros
                        ? new StrategyResult.Made(patch())
                        : new StrategyResult.Declined(
                                "the unused bytes after an inner chunk may be foreign or part of an old index"));
    }

    private Edit.Patch patch() {
        return new Edit.Patch(
                before.shardSize(),
                List.of(),
                writes,
                Edit.Recovery.JOURNAL,
                WritePolicy.Strategy.IN_PLACE,
                Optional.empty());
    }

    private Optional<String> collect() {
        for (int t = 0; t < inner.count(); t++) {
            if (inner.isSame(t)) {
                continue;
            }
            Optional<Extent> was = inner.was(t);
            if (was.isEmpty()) {
                return Optional.of(inner.name(t) + " is new");
            }
            numbers.add(inner.number(t));
            Optional<String> why = inner.edits().get(t) instanceof Edit.Absent ? remove(t) : add(t, was.get());
            if (why.isPresent()) {
                return why;
            }
        }
        return Optional.empty();
    }

    private Optional<String> remove(int t) {
        removed.add(inner.was(t).orElseThrow());
        set(t, ShardIndex.NONE, ShardIndex.NONE);
        return Optional.empty();
    }

    private void set(int t, long offset, long size) {
        long[] changed = entries == null ? before.entries() : entries;
        int at = (int) (2 * inner.number(t));
        changed[at] = offset;
        changed[at + 1] = size;
        entries = changed;
    }

    private Optional<String> add(int t, Extent was) {
        Edit edit = inner.edits().get(t);
        long size;
        Optional<String> moved;
        if (edit instanceof Edit.Patch patch) {
            if (patch.oldSize() != was.size() || !patch.overwritten().stream().allMatch(w -> isInside(w, was))) {
                throw new IllegalArgumentException(
                        "a patch of more than an inner chunk of " + was.size() + " bytes: " + patch);
            }
            patch.overwritten().forEach(w -> writes.add(new Edit.Write(was.offset() + w.offset(), w.bytes())));
            size = patch.size();
            moved = write(patch.appended(), was.offset() + was.size(), patch.instead());
        } else {
            Edit.Replace replace = (Edit.Replace) edit;
            size = replace.size();
            moved = write(replace.pieces(), was.offset(), replace.instead());
            if (size < was.size()) {
                writes.add(new Edit.Write(was.offset() + size, Bytes.zeros(was.size() - size)));
            }
        }
        if (moved.isPresent()) {
            return moved.map(why -> inner.name(t) + ": " + why);
        }
        if (size != was.size()) {
            set(t, was.offset(), size);
        }
        return claim(t, was, size);
    }

    private static boolean isInside(Edit.Write write, Extent was) {
        return write.offset() >= 0
                && write.offset() <= was.size() - write.bytes().size();
    }

    /** Adds pieces as writes from {@code offset} on; returns the reason if some would have to move. */
    private Optional<String> write(List<Piece> pieces, long offset, Optional<String> instead) {
        long at = offset;
        for (Piece piece : pieces) {
            if (piece instanceof Piece.Moved) {
                return instead.or(() -> Optional.of("the edit moves bytes"));
            }
            writes.add(new Edit.Write(at, piece instanceof Piece.Literal l ? l.bytes() : Bytes.zeros(piece.size())));
            at += piece.size();
        }
        return Optional.empty();
    }

    private Optional<String> claim(int t, Extent was, long size) {
        Extent room = before.room();
        long needed = Math.max(size, was.size());
        if (needed > room.offset() + room.size() - was.offset()) {
            return Optional.of(tooLarge(t, was, size, room.offset() + room.size()));
        }
        if (size > was.size()) {
            grown.add(new Extent(was.offset() + was.size(), size - was.size()));
        }
        Optional<Claim> other = claimed(was.offset(), needed);
        if (needed > 0) {
            claims.put(was.offset(), new Claim(was.offset() + needed, t));
        }
        return other.map(c -> inner.name(t) + " and " + inner.name(c.edit()) + " have bytes in common");
    }

    private String tooLarge(int t, Extent was, long size, long end) {
        return inner.name(t) + " now has " + size + " bytes, but at byte " + was.offset() + " there is only room for "
                + (end - was.offset());
    }

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
        long from = claims.firstKey();
        long to = claims.lastEntry().getValue().end();
        for (long i = before.next(from, to, 0); i < before.count(); i = before.next(from, to, i + 1)) {
            Optional<String> why = conflict(i);
            if (why.isPresent()) {
                return why;
            }
        }
        return Optional.empty();
    }

    /** Returns the reason if a range to write belongs to inner chunk {@code i}, which no edit changes. */
    private Optional<String> conflict(long i) {
        if (before.isMissing(i) || before.fault(i).isPresent() || numbers.contains(i)) {
            return Optional.empty();
        }
        return claimed(before.offset(i), before.size(i)).map(claim -> {
            int t = claim.edit();
            Extent was = inner.was(t).orElseThrow();
            return before.offset(i) >= was.offset() + was.size()
                    ? tooLarge(t, was, claim.end() - was.offset(), before.offset(i))
                    : inner.name(t) + " overlaps inner chunk "
                            + Arrays.toString(inner.cells().cell(i));
        });
    }

    /**
     * Returns the ranges into which inner chunks grow that must be zero: after the last inner chunk, where a footer may
     * be, and all of them where old indexes must be able to identify unused bytes later.
     */
    private List<Extent> doubtful(ReferencedRanges named) {
        boolean footer = inner.policy().foreignBytes() != WritePolicy.ForeignBytes.DROP;
        boolean all = inner.index().isSearchable();
        long end = named.end(0);
        List<Extent> doubtful = new ArrayList<>();
        for (Extent e : grown) {
            if (all) {
                doubtful.add(withNext(e, named));
            } else if (footer && e.offset() + e.size() > end) {
                long from = Math.max(e.offset(), end);
                doubtful.add(new Extent(from, e.offset() + e.size() - from));
            }
        }
        return doubtful;
    }

    /** Extends a range by the size of an entry: an old index may start with zeros, but not with an entry of zeros. */
    private Extent withNext(Extent taken, ReferencedRanges named) {
        long end = before.room().offset() + before.room().size();
        long limit = named.next(taken.offset() + taken.size(), end);
        return new Extent(taken.offset(), Math.min(limit - taken.offset(), taken.size() + 2 * Long.BYTES));
    }
}
