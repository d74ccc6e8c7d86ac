package dev.shardkit.region.write;

import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.feed.TiledParts;
import dev.shardkit.region.feed.WritePart;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The writes that a transaction has staged in memory, grouped by the shards that they touch. Shards are in the order of
 * their first write. Not thread-safe: guarded by its transaction.
 */
public final class StagedWrites {
    private final Map<Box, ShardWrites> shards = new LinkedHashMap<>();

    /**
     * The writes that touch a shard, in order.
     *
     * @param cell the shard's cell in the chunk grid, as the origin of an empty box: boxes, unlike arrays, are equal by
     *     value, so they can be keys of a map
     */
    public record ShardWrites(Box cell, List<StagedWrite> writes) {
        /**
         * Combines the writes into one write of the shard.
         *
         * @param inside the box of the shard, clipped to the array
         * @param tile the shape of its inner chunks
         */
        public WritePart content(Box inside, long[] tile) {
            Box bounds = writes.get(0).part().box().intersect(inside);
            List<WritePart> parts = new ArrayList<>();
            for (StagedWrite write : writes) {
                parts.add(write.part());
                bounds = Boxes.around(bounds, write.part().box().intersect(inside));
            }
            return new WritePart(bounds, TiledParts.feed(parts, bounds.origin(), inside.origin(), tile));
        }
    }

    /** A staged write, shared by the shards that it touches. Its bytes are released when all of them are published. */
    public static final class StagedWrite {
        private final WritePart part;
        private final long bytes;
        /** The number of shards whose part of this write is not published yet. */
        private long unpublishedShards;

        public StagedWrite(Box region, Feed feed, long bytes, long shards) {
            this.part = new WritePart(region, feed);
            this.bytes = bytes;
            this.unpublishedShards = shards;
        }

        public WritePart part() {
            return part;
        }
    }

    /** Adds a write to all shards of {@code cells}. */
    public void add(StagedWrite staging, Box cells) {
        for (long i = 0; i < cells.count(); i++) {
            long[] cell = cells.at(i);
            put(Box.of(cell, new long[cell.length]), List.of(staging));
        }
    }

    private void put(Box cell, List<StagedWrite> added) {
        shards.computeIfAbsent(cell, c -> new ShardWrites(c, new ArrayList<>()))
                .writes()
                .addAll(added);
    }

    /** Puts back writes whose publication failed, before the writes that were staged since. */
    public void putBack(Collection<ShardWrites> unpublished) {
        List<ShardWrites> since = takeAll();
        unpublished.forEach(shard -> put(shard.cell(), shard.writes()));
        since.forEach(shard -> put(shard.cell(), shard.writes()));
    }

    /** Removes and returns all staged writes. */
    public List<ShardWrites> takeAll() {
        List<ShardWrites> staged = List.copyOf(shards.values());
        shards.clear();
        return staged;
    }

    /** Returns the cells of the shards with staged writes. */
    public List<long[]> cells() {
        return shards.keySet().stream().map(Box::origin).toList();
    }

    /** Returns how many bytes of the budget the publication of a shard frees. Called once for each shard. */
    public static long releasedBytes(ShardWrites published) {
        long bytes = 0;
        for (StagedWrite write : published.writes()) {
            bytes += --write.unpublishedShards == 0 ? write.bytes : 0;
        }
        return bytes;
    }
}
