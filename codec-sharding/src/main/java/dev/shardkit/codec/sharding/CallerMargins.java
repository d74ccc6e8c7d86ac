package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardRewriting;
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
 * The header and the footer of a shard that a caller set through shardkit. A mark of 16 bytes (a magic number and the
 * size of the header or footer) separates each from the inner chunks: header, mark, inner chunks, mark, footer. The
 * mark tells them from unused bytes and from bytes of other programs, also if they begin or end with zeros. Immutable.
 *
 * @param header the bytes of the header without its mark; empty if there is none
 * @param footer the bytes of the footer without its mark; empty if there is none
 */
record CallerMargins(Optional<Extent> header, Optional<Extent> footer) {
    static final CallerMargins NONE = new CallerMargins(Optional.empty(), Optional.empty());

    private static final int MARK_BYTES = 16;
    /** The magic number of the mark after a header; an arbitrary number, like the one below. */
    private static final long HEADER_MAGIC = 0xb7e1_5162_8aed_2a6bL;

    /** The magic number of the mark before a footer. */
    private static final long FOOTER_MAGIC = 0x9e37_79b9_7f4a_7c15L;

    /**
     * Finds header and footer in a shard whose entries were checked. At each end, reads no more bytes than the largest
     * header or footer takes.
     */
    static Plan<CallerMargins> find(Source shard, ShardIndex before) {
        Extent innerRange = before.innerRange();
        long start = innerRange.offset();
        long end = start + innerRange.size();
        ReferencedRanges ranges = ReferencedRanges.of(before.entries());
        long maxSize = ShardRewriting.MAX_MARGIN_BYTES + MARK_BYTES;
        long headerLimit = Math.min(ranges.first(end), start + Math.min(maxSize, innerRange.size()));
        long footerStart = Math.max(ranges.end(start), end - Math.min(maxSize, innerRange.size()));
        return new MarkSearch(shard, innerRange, HEADER_MAGIC, headerLimit)
                .findFrom(start)
                .then(header -> {
                    Optional<Extent> head = header.isEmpty()
                            ? Optional.empty()
                            : Optional.of(new Extent(start, header.getAsLong() - start));
                    return new MarkSearch(shard, innerRange, FOOTER_MAGIC, end)
                            .findFrom(footerStart)
                            .map(footer -> {
                                long begin = footer.orElse(end) + MARK_BYTES;
                                return new CallerMargins(
                                        head,
                                        footer.isEmpty()
                                                ? Optional.empty()
                                                : Optional.of(new Extent(begin, end - begin)));
                            });
                });
    }

    /**
     * A search for a mark.
     *
     * @param innerRange the byte range that the index leaves for margins and inner chunks
     * @param magic the magic number of the mark
     * @param end the end of the bytes that may belong to the mark
     */
    private record MarkSearch(Source shard, Extent innerRange, long magic, long end) {
        /**
         * Returns the offset of the first mark at or after {@code offset} that states the right size of its header or
         * footer.
         */
        Plan<OptionalLong> findFrom(long offset) {
            if (end - offset < MARK_BYTES) {
                return Plan.done(OptionalLong.empty());
            }
            long length = Math.min(ZeroBytes.BLOCK, end - offset);
            return shard.<OptionalLong>read(
                            new ByteRange.Slice(offset, length),
                            (result, scratch) -> result instanceof ReadResult.Found found
                                    ? findIn(found.bytes(), offset)
                                    : OptionalLong.empty())
                    .then(found -> found.isPresent() ? Plan.done(found) : findFrom(offset + length - MARK_BYTES + 1));
        }

        /** Returns the offset in the shard of the first mark in a block; empty if there is none. */
        private OptionalLong findIn(Bytes block, long offset) {
            ByteBuffer bytes = ByteBuffer.wrap(block.toArray()).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i + MARK_BYTES <= bytes.limit(); i++) {
                // The size that a mark here would state: a header starts where the range does, a footer ends where it
                // does.
                long size = magic == HEADER_MAGIC
                        ? offset + i - innerRange.offset()
                        : innerRange.offset() + innerRange.size() - offset - i - MARK_BYTES;
                if (bytes.getLong(i) == magic && bytes.getLong(i + Long.BYTES) == size) {
                    return OptionalLong.of(offset + i);
                }
            }
            return OptionalLong.empty();
        }
    }

    /** Returns the range for inner chunks, {@code innerRange}, without header, footer and their marks. */
    Extent without(Extent innerRange) {
        long start = header.map(e -> e.offset() + e.size() + MARK_BYTES).orElse(innerRange.offset());
        long end = footer.map(e -> e.offset() - MARK_BYTES).orElse(innerRange.offset() + innerRange.size());
        return new Extent(start, Math.max(0, end - start));
    }

    /** Returns the byte ranges of header and footer with their marks. */
    List<Extent> kept() {
        return Stream.concat(keptHeader().stream(), keptFooter().stream()).toList();
    }

    /** Returns the byte range of the header with its mark; none if there is no header. */
    List<Extent> keptHeader() {
        return header.map(e -> List.of(new Extent(e.offset(), e.size() + MARK_BYTES)))
                .orElse(List.of());
    }

    /** Returns the byte range of the footer with its mark; none if there is no footer. */
    List<Extent> keptFooter() {
        return footer.map(e -> List.of(new Extent(e.offset() - MARK_BYTES, e.size() + MARK_BYTES)))
                .orElse(List.of());
    }

    /** Returns the pieces for a new header; none if it is empty. */
    static List<Piece> newHeader(Bytes header) {
        return header.size() == 0
                ? List.of()
                : List.of(new Piece.Literal(header), new Piece.Literal(mark(HEADER_MAGIC, header.size())));
    }

    /** Returns the pieces for a new footer; none if it is empty. */
    static List<Piece> newFooter(Bytes footer) {
        return footer.size() == 0
                ? List.of()
                : List.of(new Piece.Literal(mark(FOOTER_MAGIC, footer.size())), new Piece.Literal(footer));
    }

    private static Bytes mark(long magic, long size) {
        return Bytes.of(ByteBuffer.allocate(MARK_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(magic)
                .putLong(size)
                .flip());
    }

    /**
     * Rejects a header or footer that {@link #find} would not find again.
     *
     * @throws IllegalArgumentException if they are too large or contain one of shardkit's marks
     */
    static void check(String name, Bytes bytes) {
        if (bytes.size() > ShardRewriting.MAX_MARGIN_BYTES) {
            throw new IllegalArgumentException("a " + name + " of " + bytes.size() + " bytes, expected at most "
                    + ShardRewriting.MAX_MARGIN_BYTES);
        }
        ByteBuffer content = ByteBuffer.wrap(bytes.toArray()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i + Long.BYTES <= content.limit(); i++) {
            long word = content.getLong(i);
            if (word == HEADER_MAGIC || word == FOOTER_MAGIC) {
                throw new IllegalArgumentException(
                        "a " + name + " that contains one of shardkit's marks, at byte " + i);
            }
        }
    }
}
