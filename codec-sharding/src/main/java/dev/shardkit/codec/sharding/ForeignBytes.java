package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.Rewriting;
import dev.shardkit.spi.codec.WritePolicy;
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
 *   <li>bytes that an {@link UnusedBytesMark} covers: patches with a journal leave one where a head or a tail becomes
 *       unused;
 *   <li>if indexes are {@linkplain IndexFormat#isSearchable searchable}, an old index in the shard, and all bytes from
 *       the first to the last one that it refers to. Appends without a journal overwrite nothing, so the replaced index
 *       records the bytes that become unused. Inner chunks of such shards therefore grow only into slack.
 * </ul>
 *
 * Unused bytes between inner chunks are never foreign. Header and footer that a caller set through shardkit are known
 * ({@link OwnMargins}), so a rewrite keeps them unless the policy drops them. Immutable.
 */
record ForeignBytes(OwnMargins own, List<Extent> header, List<Extent> footer) {
    static final ForeignBytes NONE = new ForeignBytes(OwnMargins.NONE, List.of(), List.of());

    /** Finds the foreign bytes that a rewrite of the shard {@code before} in {@code old} must consider. */
    static Plan<ForeignBytes> find(Source old, IndexFormat index, ShardIndex before, WritePolicy policy) {
        if (policy.foreignBytes() == WritePolicy.ForeignBytes.DROP) {
            return Plan.done(NONE);
        }
        return locate(old, index, before);
    }

    /** Finds header and footer, whatever a policy says about them. */
    static Plan<ForeignBytes> locate(Source old, IndexFormat index, ShardIndex before) {
        return OwnMargins.find(old, before).then(own -> {
            ReferencedRanges named = ReferencedRanges.of(before.entries());
            Extent room = own.inside(before.room());
            long end = room.offset() + room.size();
            Extent head = new Extent(room.offset(), named.first(end) - room.offset());
            List<Extent> gaps = named.gaps(room.offset(), end);
            return in(old, index, head, gaps).then(header -> in(old, index, tail(room, named), gaps)
                    .map(footer -> new ForeignBytes(own, header, footer)));
        });
    }

    /** Returns whether the shard has a footer, which an append would bury. */
    static Plan<Boolean> hasFooter(Source old, IndexFormat index, ShardIndex before, WritePolicy policy) {
        if (policy.foreignBytes() == WritePolicy.ForeignBytes.DROP) {
            return Plan.done(false);
        }
        Extent tail = tail(before.room(), ReferencedRanges.of(before.entries()));
        if (tail.size() == 0) {
            return Plan.done(false);
        }
        return OwnMargins.find(old, before)
                .then(own -> own.footer().isPresent()
                        ? Plan.done(true)
                        : in(old, index, tail, List.of(tail)).map(footer -> !footer.isEmpty()));
    }

    /** Returns the byte range after the last inner chunk, up to the index or the end. */
    private static Extent tail(Extent room, ReferencedRanges named) {
        long end = room.offset() + room.size();
        return new Extent(named.end(end), end - named.end(end));
    }

    private static Plan<List<Extent>> in(Source old, IndexFormat index, Extent part, List<Extent> gaps) {
        return new UnmarkedBytes(old, part).find().then(doubtful -> {
            if (doubtful.isEmpty() || !index.isSearchable()) {
                return Plan.done(doubtful);
            }
            return new IndexSearch(index).in(old, gaps).then(indexes -> {
                List<Extent> unknown = doubtful;
                for (ShardIndex i : indexes) {
                    unknown = without(unknown, i);
                }
                return withContent(old, unknown);
            });
        });
    }

    /** Removes the range from the first to the last byte that {@code index} refers to from {@code parts}. */
    private static List<Extent> without(List<Extent> parts, ShardIndex index) {
        ReferencedRanges named = ReferencedRanges.of(index.entries());
        long self = index.index().offset();
        List<Extent> left = new ArrayList<>();
        for (Extent part : parts) {
            for (Extent rest : without(part, named.first(self), named.end(self))) {
                left.addAll(without(rest, self, index.shardSize()));
            }
        }
        return left;
    }

    private static List<Extent> without(Extent part, long from, long to) {
        List<Extent> left = new ArrayList<>();
        long end = part.offset() + part.size();
        if (part.offset() < from) {
            left.add(new Extent(part.offset(), Math.min(from, end) - part.offset()));
        }
        if (end > to) {
            long start = Math.max(part.offset(), to);
            left.add(new Extent(start, end - start));
        }
        return left;
    }

    /** Returns the ranges of {@code parts} that are not all zeros. */
    private static Plan<List<Extent>> withContent(Source old, List<Extent> parts) {
        return Plan.<Boolean>all(parts.size(), i -> ZeroBytes.at(old, List.of(parts.get((int) i))))
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

    /** Rejects a rewrite that would have to keep or drop foreign bytes if the policy does not decide which. */
    void refuse(WritePolicy policy, DataLocation shard) {
        if (policy.foreignBytes() == WritePolicy.ForeignBytes.REFUSE && !(header.isEmpty() && footer.isEmpty())) {
            throw (UnsupportedException) new UnsupportedException("rewriting a shard with bytes that no index entry "
                            + "refers to: " + text("before the first", header)
                            + (header.isEmpty() || footer.isEmpty() ? "" : ", ")
                            + text("after the last", footer)
                            + "; expected the write policy foreignBytes KEEP or DROP, found REFUSE")
                    .locate(Optional.empty(), Optional.of(shard), Optional.empty());
        }
    }

    private static String text(String where, List<Extent> parts) {
        if (parts.isEmpty()) {
            return "";
        }
        long bytes = parts.stream().mapToLong(Extent::size).sum();
        return bytes + " bytes " + where + " inner chunk, from byte "
                + parts.get(0).offset();
    }

    /** Returns the bytes before the inner chunks as pieces of the new shard. */
    List<Piece> head() {
        return moved(own.keptHeader(), header);
    }

    /** Returns the bytes after the inner chunks as pieces of the new shard. */
    List<Piece> tail() {
        return moved(footer, own.keptFooter());
    }

    private static List<Piece> moved(List<Extent> parts, List<Extent> others) {
        return Stream.concat(parts.stream(), others.stream())
                .map(e -> (Piece) new Piece.Moved(e.offset(), e.size()))
                .toList();
    }

    /** Returns where header and footer are: those set through shardkit, else those of another program. */
    Rewriting.Margins margins() {
        return new Rewriting.Margins(
                own.header().map(List::of).orElse(header),
                own.footer().map(List::of).orElse(footer),
                own.kept());
    }
}
