package dev.shardkit;

import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Reads and replaces the header and the footer of a stored shard ({@link ShardMargins}), for {@link ZarrArray}. The
 * inner chunks of the shard stay as they are.
 */
record ShardMarginAccess(StoredArray stored) {
    /** Reads the header and the footer; empty if the shard is not stored. Throws if they exceed {@code maxBytes}. */
    Optional<ShardMargins> read(long[] cell, int maxBytes) {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("expected maxBytes of at least 0, found " + maxBytes);
        }
        ShardRewriting shard = shard(check(cell));
        return stored.inspect(List.of(cell), (c, source) -> shard.margins(source)
                        .then(found -> found.isEmpty()
                                ? Plan.<Optional<ShardMargins>>done(Optional.empty())
                                : content(source, found.get(), maxBytes).map(Optional::of)))
                .get(0);
    }

    /** Reads the bytes of a header and a footer. */
    private static Plan<ShardMargins> content(Source source, ShardRewriting.Margins found, int maxBytes) {
        long size = size(found.header()) + size(found.footer());
        if (size > maxBytes) {
            throw new UnsupportedException(
                    "header and footer of the shard have " + size + " bytes, expected at most maxBytes, " + maxBytes);
        }
        return bytes(source, found.header())
                .then(header -> bytes(source, found.footer()).map(footer -> new ShardMargins(header, footer)));
    }

    private static long size(List<Extent> parts) {
        return parts.stream().mapToLong(Extent::size).sum();
    }

    /** Reads byte ranges of a shard and joins them. */
    private static Plan<byte[]> bytes(Source source, List<Extent> parts) {
        return Plan.<Bytes>all(parts.size(), i -> {
                    Extent part = parts.get((int) i);
                    return source.read(
                            new ByteRange.Slice(part.offset(), part.size()),
                            (result, scratch) -> result instanceof ReadResult.Found found
                                    ? Bytes.of(found.bytes().toArray())
                                    : Bytes.EMPTY);
                })
                .map(contents -> Bytes.concat(contents).toArray());
    }

    /** Replaces the header and the footer of a stored shard. */
    void write(long[] cell, ShardMargins margins) {
        stored.store("writing the header and footer of a shard");
        stored.shape().current(); // refuses an array that was deleted or replaced
        ChunkCodec codec = stored.codec(check(cell));
        ShardRewriting shard = shard(cell);
        stored.change(cell, UnaryOperator.identity(), (source, policy) -> shard.withMargins(
                        source, Bytes.of(margins.header()), Bytes.of(margins.footer()), policy)
                .map(edit -> refuseLarger(edit, codec.maxEncodedSize())));
    }

    /** Throws if an edit makes the shard larger than {@code maxBytes}, because readers refuse such objects. */
    private static Edit refuseLarger(Edit edit, long maxBytes) {
        if (edit instanceof Edit.Replace replace && replace.size() > maxBytes) {
            throw new UnsupportedException("the shard would have " + replace.size()
                    + " bytes with its header and footer, expected at most " + maxBytes);
        }
        return edit;
    }

    /** Returns {@code cell}. Throws if it is outside the grid. */
    private long[] check(long[] cell) {
        long[] cells = stored.cells();
        boolean inside = cell.length == cells.length;
        for (int d = 0; inside && d < cells.length; d++) {
            inside = cell[d] >= 0 && cell[d] < cells[d];
        }
        if (!inside) {
            throw new IndexOutOfBoundsException("expected coordinates of a shard in a grid of " + Arrays.toString(cells)
                    + " shards, found " + Arrays.toString(cell));
        }
        return cell;
    }

    private ShardRewriting shard(long[] cell) {
        ShardAccess shard = stored.codec(cell)
                .shardAccess()
                .orElseThrow(() -> new UnsupportedException(
                        "headers and footers belong to shards, but the stored chunks of this array are no shards"));
        return ShardRewriting.of(shard);
    }
}
