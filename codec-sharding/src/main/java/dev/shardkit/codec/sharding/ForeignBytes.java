package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The foreign bytes of a shard: a header before its first and a footer after its last inner chunk that shardkit did not
 * write. These bytes are not foreign:
 *
 * <ul>
 *   <li>zeros: slack, and the rest of an inner chunk that shrank in place;
 *   <li>bytes that an {@link UnusedBytesMark} covers: a patch with a journal writes one where the beginning or the end
 *       of the inner chunks becomes unused;
 *   <li>if indexes are {@linkplain IndexFormat#isSearchable searchable}, an old index in the shard, and all bytes from
 *       the first to the last one that it refers to. Appends without a journal overwrite nothing, so the replaced index
 *       records the bytes that become unused. Therefore inner chunks of these shards grow only into slack.
 * </ul>
 *
 * Unused bytes between inner chunks are never foreign. Header and footer that a caller set through shardkit are known
 * ({@link CallerMargins}), so a rewrite keeps them unless the policy drops them. Immutable.
 *
 * @param ownMargins the header and footer that a caller set through shardkit
 * @param header the foreign ranges before the first inner chunk, in order
 * @param footer the foreign ranges after the last inner chunk, in order
 */
record ForeignBytes(CallerMargins ownMargins, List<Extent> header, List<Extent> footer) {
    static final ForeignBytes NONE = new ForeignBytes(CallerMargins.NONE, List.of(), List.of());

    /** Finds the foreign bytes that a rewrite of the shard {@code before} in {@code old} must consider. */
    static Plan<ForeignBytes> find(Source old, IndexFormat index, ShardIndex before, ShardWritePolicy policy) {
        if (policy.foreignBytes() == ShardWritePolicy.ForeignBytes.DROP) {
            return Plan.done(NONE);
        }
        return locate(old, index, before);
    }

    /** Finds header and footer, regardless of the policy. */
    static Plan<ForeignBytes> locate(Source old, IndexFormat index, ShardIndex before) {
        return CallerMargins.find(old, before).then(ownMargins -> {
            ReferencedRanges ranges = ReferencedRanges.of(before.entries());
            Extent innerRange = ownMargins.without(before.innerRange());
            long end = innerRange.offset() + innerRange.size();
            Extent head = new Extent(innerRange.offset(), ranges.first(end) - innerRange.offset());
            List<Extent> gaps = ranges.gaps(innerRange.offset(), end);
            return findIn(old, index, head, gaps).then(header -> findIn(old, index, tail(innerRange, ranges), gaps)
                    .map(footer -> new ForeignBytes(ownMargins, header, footer)));
        });
    }

    /** Returns whether the shard has a footer. An append would leave it between inner chunks. */
    static Plan<Boolean> hasFooter(Source old, IndexFormat index, ShardIndex before, ShardWritePolicy policy) {
        if (policy.foreignBytes() == ShardWritePolicy.ForeignBytes.DROP) {
            return Plan.done(false);
        }
        Extent tail = tail(before.innerRange(), ReferencedRanges.of(before.entries()));
        if (tail.size() == 0) {
            return Plan.done(false);
        }
        return CallerMargins.find(old, before)
                .then(ownMargins -> ownMargins.footer().isPresent()
                        ? Plan.done(true)
                        : findIn(old, index, tail, List.of(tail)).map(footer -> !footer.isEmpty()));
    }

    /** Returns the byte range after the last inner chunk, up to the index or the end. */
    private static Extent tail(Extent innerRange, ReferencedRanges ranges) {
        long end = innerRange.offset() + innerRange.size();
        return new Extent(ranges.end(end), end - ranges.end(end));
    }

    /**
     * Finds the foreign ranges of {@code part}: ranges that are not zeros, that no mark covers, and that no old index
     * in {@code gaps} records.
     */
    private static Plan<List<Extent>> findIn(Source old, IndexFormat index, Extent part, List<Extent> gaps) {
        return new UnmarkedBytesSearch(old, part).find().then(unmarked -> {
            if (unmarked.isEmpty() || !index.isSearchable()) {
                return Plan.done(unmarked);
            }
            return new IndexSearch(index).findIn(old, gaps).then(indexes -> {
                List<Extent> unknown = unmarked;
                for (ShardIndex oldIndex : indexes) {
                    unknown = without(unknown, oldIndex);
                }
                return withContent(old, unknown);
            });
        });
    }

    /**
     * Returns {@code parts} without the bytes that an old index covers: the index itself, and all bytes from the first
     * to the last one that it refers to.
     */
    private static List<Extent> without(List<Extent> parts, ShardIndex index) {
        ReferencedRanges ranges = ReferencedRanges.of(index.entries());
        long indexBegin = index.index().offset();
        List<Extent> remaining = new ArrayList<>();
        for (Extent part : parts) {
            for (Extent outside : without(part, ranges.first(indexBegin), ranges.end(indexBegin))) {
                remaining.addAll(without(outside, indexBegin, index.shardSize()));
            }
        }
        return remaining;
    }

    /** Returns the rest of {@code part} without the bytes from {@code begin} to {@code limit}. */
    private static List<Extent> without(Extent part, long begin, long limit) {
        List<Extent> remaining = new ArrayList<>();
        long end = part.offset() + part.size();
        if (part.offset() < begin) {
            remaining.add(new Extent(part.offset(), Math.min(begin, end) - part.offset()));
        }
        if (end > limit) {
            long start = Math.max(part.offset(), limit);
            remaining.add(new Extent(start, end - start));
        }
        return remaining;
    }

    /** Returns the ranges of {@code parts} that are not all zeros. */
    private static Plan<List<Extent>> withContent(Source old, List<Extent> parts) {
        return Plan.<Boolean>all(parts.size(), i -> ZeroBytes.areZeroAt(old, List.of(parts.get((int) i))))
                .map(zero -> {
                    List<Extent> content = new ArrayList<>();
                    for (int i = 0; i < parts.size(); i++) {
                        if (!zero.get(i)) {
                            content.add(parts.get(i));
                        }
                    }
                    return content;
                });
    }

    /** Rejects a rewrite of a shard with foreign bytes if the policy says neither to keep nor to drop them. */
    void refuse(ShardWritePolicy policy, DataLocation shard) {
        if (policy.foreignBytes() == ShardWritePolicy.ForeignBytes.REFUSE && !(header.isEmpty() && footer.isEmpty())) {
            throw (UnsupportedException) new UnsupportedException("rewriting a shard with bytes that no index entry "
                            + "refers to: " + text("before the first", header)
                            + (header.isEmpty() || footer.isEmpty() ? "" : ", ")
                            + text("after the last", footer)
                            + "; expected the write policy foreignBytes KEEP or DROP, found REFUSE")
                    .locate(Optional.empty(), Optional.of(shard), Optional.empty());
        }
    }

    private static String text(String position, List<Extent> parts) {
        if (parts.isEmpty()) {
            return "";
        }
        long bytes = parts.stream().mapToLong(Extent::size).sum();
        return bytes + " bytes " + position + " inner chunk, from byte "
                + parts.get(0).offset();
    }

    /** Returns the bytes before the inner chunks as pieces of the new shard. */
    List<Piece> head() {
        return moved(ownMargins.keptHeader(), header);
    }

    /** Returns the bytes after the inner chunks as pieces of the new shard. */
    List<Piece> tail() {
        return moved(footer, ownMargins.keptFooter());
    }

    private static List<Piece> moved(List<Extent> parts, List<Extent> more) {
        return Stream.concat(parts.stream(), more.stream())
                .map(e -> (Piece) new Piece.Copied(e.offset(), e.size()))
                .toList();
    }

    /** Returns the byte ranges of header and footer: those set through shardkit, otherwise those of another program. */
    ShardRewriting.Margins margins() {
        return new ShardRewriting.Margins(
                ownMargins.header().map(List::of).orElse(header),
                ownMargins.footer().map(List::of).orElse(footer),
                ownMargins.kept());
    }
}
