package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.shard.EditedInnerChunk;
import dev.shardkit.spi.shard.ShardBuilder;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Combines edits of chunks into one edit of the shard that contains them. The edit replaces the shard by a new one: all
 * chunks in C order, then the index. Unchanged chunks are moved as encoded bytes. Bytes to which no entry of the index
 * refers are dropped. Deterministic and without I/O. Stateless.
 */
final class ChunkEdits {
    private ChunkEdits() {}

    /**
     * Returns the edit that applies {@code changed} to a shard.
     *
     * @param location the place of the shard, for errors
     * @param oldIndex the current index; empty if the shard does not exist or is overwritten entirely
     * @param changed the edits of chunks, by number
     */
    static Edit edit(
            long[] chunksPerShard,
            DataLocation location,
            Optional<ShardIndex> oldIndex,
            SortedMap<Long, Edit> changed) {
        if (oldIndex.isPresent()
                && changed.entrySet().stream().allMatch(e -> keeps(e.getValue(), oldIndex.get(), e.getKey()))) {
            return oldIndex.get().isEmpty() ? new Edit.Delete() : new Edit.Keep();
        } else if (oldIndex.isEmpty() && changed.values().stream().noneMatch(e -> e instanceof Edit.Replace)) {
            return new Edit.Delete();
        }
        oldIndex.ifPresent(index -> {
            index.checkAll(chunksPerShard, location);
            index.overlaps(location); // throws if chunks overlap in part
        });
        return rewrite(Shapes.count(chunksPerShard), oldIndex, changed);
    }

    /** Returns whether an edit changes nothing. */
    private static boolean keeps(Edit edit, ShardIndex oldIndex, long i) {
        return edit instanceof Edit.Keep || (edit instanceof Edit.Delete && oldIndex.isMissing(i));
    }

    /** Returns the edit that writes a new shard, or deletes it if no chunk remains. */
    private static Edit rewrite(long count, Optional<ShardIndex> oldIndex, SortedMap<Long, Edit> changed) {
        ShardBuilder shard = new ShardBuilder(count, 0, size -> 0);
        boolean isEmpty = true;
        for (long i = 0; i < count; i++) {
            long number = i;
            Optional<Extent> oldExtent = oldIndex.flatMap(index -> index.extent(number));
            Edit edit = changed.getOrDefault(number, new Edit.Keep());
            if (edit instanceof Edit.Keep) {
                oldExtent.ifPresent(extent -> shard.moveOnce(number, extent));
            } else {
                EditedInnerChunk.of(edit, oldExtent).ifPresent(content -> shard.put(number, content));
            }
            isEmpty &= shard.isMissing(number);
        }
        if (isEmpty) {
            return new Edit.Delete();
        }
        List<Piece> pieces = new ArrayList<>(shard.pieces());
        pieces.add(new Piece.Literal(DraftIndex.encode(shard.entries())));
        return new Edit.Replace(pieces);
    }
}
