package dev.shardkit.neuroglancer;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.shard.InnerContent;
import dev.shardkit.spi.shard.Pieces;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Applies edits of chunks to their shard. It replaces the shard by a new one: the shard index, then the chunks and the
 * index of each minishard. Unchanged chunks move as encoded bytes. Deterministic and without I/O.
 *
 * @param sharding the sharding specification
 * @param place the place of the shard, for errors
 * @param before the current content
 */
record ShardRewrite(Sharding sharding, DataLocation place, ShardReading.Content before) {
    private static final GzipCodec GZIP = new GzipCodec(6);

    /** Returns the edit of the shard that makes these edits of chunks, by number. */
    Edit edit(Map<Long, Edit> changed, Scratch scratch) {
        boolean same = changed.entrySet().stream()
                .allMatch(e -> e.getValue() instanceof Edit.Keep
                        || e.getValue() instanceof Edit.Absent
                                && !before.chunks().containsKey(e.getKey()));
        if (same) {
            return before.chunks().isEmpty() ? new Edit.Absent() : new Edit.Keep();
        }
        refuseOverlaps();
        SortedMap<Integer, SortedMap<Long, List<Piece>>> minishards = contents(changed);
        return minishards.isEmpty() ? new Edit.Absent() : new Edit.Replace(shard(minishards, scratch));
    }

    /** Chunks that share bytes would be stored once for each, so that a small shard could grow without limit. */
    private void refuseOverlaps() {
        long left = before.size().orElse(0);
        for (Extent chunk : before.chunks().values()) {
            left -= chunk.size();
            if (left < 0) {
                throw new CorruptDataException("minishard indexes: expected chunks that do not overlap, found more"
                                + " bytes than the shard has")
                        .locate(Optional.empty(), Optional.of(place), Optional.empty());
            }
        }
    }

    private SortedMap<Integer, SortedMap<Long, List<Piece>>> contents(Map<Long, Edit> changed) {
        SortedMap<Long, Edit> all = new TreeMap<>(Long::compareUnsigned);
        before.chunks().keySet().forEach(id -> all.put(id, new Edit.Keep()));
        all.putAll(changed);
        SortedMap<Integer, SortedMap<Long, List<Piece>>> minishards = new TreeMap<>();
        all.forEach((id, edit) -> InnerContent.of(
                        edit, Optional.ofNullable(before.chunks().get(id)))
                .ifPresent(content -> minishards
                        .computeIfAbsent(sharding.slot(id).minishard(), m -> new TreeMap<>(Long::compareUnsigned))
                        .put(id, content)));
        return minishards;
    }

    private List<Piece> shard(SortedMap<Integer, SortedMap<Long, List<Piece>>> minishards, Scratch scratch) {
        long base = sharding.indexSize();
        ByteBuffer index = ByteBuffer.allocate(Math.toIntExact(base)).order(ByteOrder.LITTLE_ENDIAN);
        Pieces pieces = new Pieces();
        pieces.add(new Piece.Literal(Bytes.of(index)));
        minishards.forEach((number, chunks) -> {
            Map<Long, Extent> extents = new TreeMap<>(Long::compareUnsigned);
            chunks.forEach((id, content) -> {
                long from = pieces.size();
                content.forEach(pieces::add);
                extents.put(id, new Extent(from, pieces.size() - from));
            });
            long from = pieces.size();
            pieces.add(new Piece.Literal(encoded(Minishard.of(extents).encode(base), scratch)));
            index.putLong(number * Sharding.ENTRY, from - base);
            index.putLong(number * Sharding.ENTRY + Long.BYTES, pieces.size() - base);
        });
        return pieces.list();
    }

    private Bytes encoded(Bytes index, Scratch scratch) {
        return sharding.index() == Sharding.Encoding.RAW ? index : GZIP.encode(index, scratch);
    }
}
