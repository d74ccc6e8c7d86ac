package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.shard.InnerContent;
import dev.shardkit.spi.shard.ShardBuilder;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Applies edits of chunks to their shard. It replaces the shard by a new one: chunks in C order, unchanged ones moved
 * as encoded bytes, then the index. Drops bytes that no entry refers to. Deterministic and without I/O. Stateless.
 */
final class ChunkEdits {
    private ChunkEdits() {}

    /**
     * Returns the edit that applies {@code changed} to a shard.
     *
     * @param place the place of the shard, for errors
     * @param before the current index; empty if the shard does not exist or is overwritten entirely
     * @param changed the edits of chunks, by number
     */
    static Edit edit(
            long[] chunksPerShard, DataLocation place, Optional<ShardIndex> before, SortedMap<Long, Edit> changed) {
        if (before.isPresent()
                && changed.entrySet().stream().allMatch(e -> keeps(e.getValue(), before.get(), e.getKey()))) {
            return before.get().isEmpty() ? new Edit.Absent() : new Edit.Keep();
        } else if (before.isEmpty() && changed.values().stream().noneMatch(e -> e instanceof Edit.Replace)) {
            return new Edit.Absent();
        }
        before.ifPresent(index -> {
            index.checkAll(chunksPerShard, place);
            index.overlaps(place);
        });
        return rewrite(Shapes.count(chunksPerShard), before, changed);
    }

    private static boolean keeps(Edit edit, ShardIndex before, long i) {
        return edit instanceof Edit.Keep || (edit instanceof Edit.Absent && before.isMissing(i));
    }

    private static Edit rewrite(long count, Optional<ShardIndex> before, SortedMap<Long, Edit> changed) {
        ShardBuilder shard = new ShardBuilder(count, 0, size -> 0);
        boolean empty = true;
        for (long i = 0; i < count; i++) {
            long number = i;
            Optional<Extent> was = before.flatMap(index -> index.extent(number));
            Edit edit = changed.getOrDefault(number, new Edit.Keep());
            if (edit instanceof Edit.Keep) {
                was.ifPresent(extent -> shard.moveOnce(number, extent));
            } else {
                InnerContent.of(edit, was).ifPresent(content -> shard.put(number, content));
            }
            empty &= shard.isMissing(number);
        }
        if (empty) {
            return new Edit.Absent();
        }
        List<Piece> all = new ArrayList<>(shard.pieces());
        all.add(new Piece.Literal(DraftIndex.encode(shard.entries())));
        return new Edit.Replace(all);
    }
}
