package dev.shardkit.neuroglancer;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.shard.EditedInnerChunk;
import dev.shardkit.spi.shard.PieceMerger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Applies edits of chunks to their shard, by a new shard that replaces it: the shard index, then for each minishard its
 * chunks and its index. The encoded bytes of unchanged chunks are copied. Deterministic and without I/O.
 *
 * @param sharding the sharding specification
 * @param location the location of the shard, for errors
 * @param content the current content of the shard
 */
record ShardRewrite(Sharding sharding, DataLocation location, ShardIndexReads.Content content) {
    private static final GzipCodec GZIP = new GzipCodec(6);

    /** Returns the edit of the shard for edits of chunks by id. */
    Edit edit(Map<Long, Edit> edits, Scratch scratch) {
        boolean isUnchanged = edits.entrySet().stream()
                .allMatch(entry -> entry.getValue() instanceof Edit.Keep
                        || entry.getValue() instanceof Edit.Delete
                                && !content.chunks().containsKey(entry.getKey()));
        if (isUnchanged) {
            return content.chunks().isEmpty() ? new Edit.Delete() : new Edit.Keep();
        }
        refuseOverlaps();
        SortedMap<Integer, SortedMap<Long, List<Piece>>> minishards = contentByMinishard(edits);
        return minishards.isEmpty() ? new Edit.Delete() : new Edit.Replace(encodeShard(minishards, scratch));
    }

    /**
     * Refuses chunks that overlap. The new shard stores each chunk separately, so a small corrupt shard could grow
     * without limit.
     */
    private void refuseOverlaps() {
        long remaining = content.size().orElse(0);
        for (Extent chunk : content.chunks().values()) {
            remaining -= chunk.size();
            if (remaining < 0) {
                throw new CorruptDataException("minishard indexes: expected chunks that do not overlap, found more"
                                + " bytes than the shard has")
                        .locate(Optional.empty(), Optional.of(location), Optional.empty());
            }
        }
    }

    /** Returns the pieces of each chunk after the edits, by minishard and id. */
    private SortedMap<Integer, SortedMap<Long, List<Piece>>> contentByMinishard(Map<Long, Edit> edits) {
        SortedMap<Long, Edit> editsById = new TreeMap<>(Long::compareUnsigned);
        content.chunks().keySet().forEach(id -> editsById.put(id, new Edit.Keep()));
        editsById.putAll(edits);
        SortedMap<Integer, SortedMap<Long, List<Piece>>> minishards = new TreeMap<>();
        editsById.forEach((id, edit) -> EditedInnerChunk.of(
                        edit, Optional.ofNullable(content.chunks().get(id)))
                .ifPresent(chunkPieces -> minishards
                        .computeIfAbsent(sharding.slot(id).minishard(), key -> new TreeMap<>(Long::compareUnsigned))
                        .put(id, chunkPieces)));
        return minishards;
    }

    /** Returns the pieces of the new shard. */
    private List<Piece> encodeShard(SortedMap<Integer, SortedMap<Long, List<Piece>>> minishards, Scratch scratch) {
        long base = sharding.indexSize();
        ByteBuffer index = ByteBuffer.allocate(Math.toIntExact(base)).order(ByteOrder.LITTLE_ENDIAN);
        PieceMerger pieces = new PieceMerger();
        pieces.add(new Piece.Literal(Bytes.of(index)));
        minishards.forEach((number, chunks) -> {
            Map<Long, Extent> extents = new TreeMap<>(Long::compareUnsigned);
            chunks.forEach((id, chunkPieces) -> {
                long start = pieces.size();
                chunkPieces.forEach(pieces::add);
                extents.put(id, new Extent(start, pieces.size() - start));
            });
            long start = pieces.size();
            pieces.add(new Piece.Literal(encodeIndex(Minishard.of(extents).encode(base), scratch)));
            index.putLong(number * Sharding.ENTRY_BYTES, start - base);
            index.putLong(number * Sharding.ENTRY_BYTES + Long.BYTES, pieces.size() - base);
        });
        return pieces.list();
    }

    private Bytes encodeIndex(Bytes index, Scratch scratch) {
        return sharding.index() == Sharding.Encoding.RAW ? index : GZIP.encode(index, scratch);
    }
}
