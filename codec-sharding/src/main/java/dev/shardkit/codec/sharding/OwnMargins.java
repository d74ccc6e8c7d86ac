package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.Rewriting;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The header and the footer that a caller set through shardkit. A mark of 16 bytes (a magic number and the size of the
 * header or footer) separates each from the inner chunks: header, mark, inner chunks, mark, footer. The mark tells them
 * from unused bytes and from bytes of other programs, also if they begin or end with zeros. Immutable.
 *
 * @param header the bytes of the header without its mark; empty if there is none
 * @param footer the bytes of the footer without its mark; empty if there is none
 */
record OwnMargins(Optional<Extent> header, Optional<Extent> footer) {
    static final OwnMargins NONE = new OwnMargins(Optional.empty(), Optional.empty());

    private static final int MARK = 16;
    private static final long HEADER = 0xb7e1_5162_8aed_2a6bL;
    private static final long FOOTER = 0x9e37_79b9_7f4a_7c15L;

    /** Finds header and footer in a shard whose entries were checked. Reads no more than their largest size. */
    static Plan<OwnMargins> find(Source shard, ShardIndex before) {
        Extent room = before.room();
        long start = room.offset();
        long end = start + room.size();
        ReferencedRanges named = ReferencedRanges.of(before.entries());
        long mostly = Rewriting.MAX_MARGIN_BYTES + MARK;
        long first = Math.min(named.first(end), start + Math.min(mostly, room.size()));
        long last = Math.max(named.end(start), end - Math.min(mostly, room.size()));
        return new Search(shard, room, HEADER, first).from(start).then(header -> {
            Optional<Extent> head =
                    header.isEmpty() ? Optional.empty() : Optional.of(new Extent(start, header.getAsLong() - start));
            return new Search(shard, room, FOOTER, end).from(last).map(footer -> {
                long from = footer.orElse(end) + MARK;
                return new OwnMargins(
                        head, footer.isEmpty() ? Optional.empty() : Optional.of(new Extent(from, end - from)));
            });
        });
    }

    /**
     * A search for a mark.
     *
     * @param to the end of the bytes that may be the mark
     */
    private record Search(Source shard, Extent room, long magic, long to) {
        /** Returns the offset of the first mark at or after {@code at} whose size is right. */
        Plan<OptionalLong> from(long at) {
            if (to - at < MARK) {
                return Plan.done(OptionalLong.empty());
            }
            long n = Math.min(ZeroBytes.BLOCK, to - at);
            return shard.<OptionalLong>read(
                            new ByteRange.Slice(at, n),
                            (answer, scratch) -> answer instanceof ReadResult.Found found
                                    ? in(found.bytes(), at)
                                    : OptionalLong.empty())
                    .then(found -> found.isPresent() ? Plan.done(found) : from(at + n - MARK + 1));
        }

        private OptionalLong in(Bytes block, long at) {
            ByteBuffer bytes = ByteBuffer.wrap(block.toArray()).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i + MARK <= bytes.limit(); i++) {
                long size = magic == HEADER ? at + i - room.offset() : room.offset() + room.size() - at - i - MARK;
                if (bytes.getLong(i) == magic && bytes.getLong(i + Long.BYTES) == size) {
                    return OptionalLong.of(at + i);
                }
            }
            return OptionalLong.empty();
        }
    }

    /** Returns the room of the shard without header, footer and their marks. */
    Extent inside(Extent room) {
        long start = header.map(e -> e.offset() + e.size() + MARK).orElse(room.offset());
        long end = footer.map(e -> e.offset() - MARK).orElse(room.offset() + room.size());
        return new Extent(start, Math.max(0, end - start));
    }

    /** Returns the byte ranges of header and footer with their marks. */
    List<Extent> kept() {
        return Stream.concat(keptHeader().stream(), keptFooter().stream()).toList();
    }

    /** Returns the byte range of the header with its mark; none if there is no header. */
    List<Extent> keptHeader() {
        return header.map(e -> List.of(new Extent(e.offset(), e.size() + MARK))).orElse(List.of());
    }

    /** Returns the byte range of the footer with its mark; none if there is no footer. */
    List<Extent> keptFooter() {
        return footer.map(e -> List.of(new Extent(e.offset() - MARK, e.size() + MARK)))
                .orElse(List.of());
    }

    /** Returns the pieces for a new header; none if it is empty. */
    static List<Piece> newHeader(Bytes header) {
        return header.size() == 0
                ? List.of()
                : List.of(new Piece.Literal(header), new Piece.Literal(mark(HEADER, header.size())));
    }

    /** Returns the pieces for a new footer; none if it is empty. */
    static List<Piece> newFooter(Bytes footer) {
        return footer.size() == 0
                ? List.of()
                : List.of(new Piece.Literal(mark(FOOTER, footer.size())), new Piece.Literal(footer));
    }

    private static Bytes mark(long magic, long size) {
        return Bytes.of(ByteBuffer.allocate(MARK)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(magic)
                .putLong(size)
                .flip());
    }

    /**
     * Refuses bytes that would not be found again.
     *
     * @throws IllegalArgumentException if they are too large or contain one of shardkit's marks
     */
    static void check(String name, Bytes bytes) {
        if (bytes.size() > Rewriting.MAX_MARGIN_BYTES) {
            throw new IllegalArgumentException(
                    "a " + name + " of " + bytes.size() + " bytes, expected at most " + Rewriting.MAX_MARGIN_BYTES);
        }
        ByteBuffer all = ByteBuffer.wrap(bytes.toArray()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i + Long.BYTES <= all.limit(); i++) {
            long word = all.getLong(i);
            if (word == HEADER || word == FOOTER) {
                throw new IllegalArgumentException(
                        "a " + name + " that contains one of shardkit's marks, at byte " + i);
            }
        }
    }
}
