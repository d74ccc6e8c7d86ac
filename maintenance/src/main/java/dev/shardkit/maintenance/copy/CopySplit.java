package dev.shardkit.maintenance.copy;

import dev.shardkit.ChunkBitmap;
import dev.shardkit.ChunkPresence;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.ShardRange;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.store.Listings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits the shards of a {@link PartedCopy} into ranges of about equal work. Lists the source to find out which shards
 * of the target may hold data, and records one bit for each. Stateless.
 */
final class CopySplit {
    /** The maximum size of a bitmap in bytes; it has bits for 2^29 shards. */
    private static final long MAX_BYTES = 64L << 20;

    private CopySplit() {}

    /**
     * Returns a bit for each shard of the target, which is set if a stored chunk of the source touches the shard.
     * Returns null if that is unknown or takes too much memory.
     */
    public static @Nullable BitSet shardsWithData(ZarrArray from, ZarrArray to, long shards) {
        boolean lists = ArrayInternals.of(from).node().session().store().can(Listings.class);
        ChunkPresence source = from.presence().atLevel(0);
        if (!lists
                || !ArrayInternals.fillsMissingChunks(from)
                || isTooMany(shards)
                || isTooMany(count(source.cells()))) {
            return null;
        }
        StoredArray target = ArrayInternals.of(to);
        long[] grid = target.cells();
        BitSet stored = new BitSet((int) shards);
        ChunkBitmap present = source.bitmap(MAX_BYTES);
        present.numbers().forEach(number -> {
            Box box = source.box(present.cell(number)).intersect(from.domain());
            setBits(stored, target.touched(box), Box.of(grid));
        });
        return stored;
    }

    /** Sets the bits of the cells in a box, by their linear index in the grid. */
    static void setBits(BitSet bits, Box cells, Box grid) {
        Box inside = cells.intersect(grid);
        long count = inside.count();
        for (long i = 0; i < count; i++) {
            bits.set((int) Shapes.ravel(inside.at(i), grid.shape()));
        }
    }

    /** Returns whether a bitmap of this number of shards or chunks would be too large. */
    static boolean isTooMany(long shards) {
        return shards / Byte.SIZE >= MAX_BYTES;
    }

    /** Returns the number of cells; the largest long if there are more. */
    static long count(Box cells) {
        try {
            return cells.count();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Splits {@code shards} shards from number {@code first} on into ranges.
     *
     * @param wanted a bit for each shard that may hold data; null if all shards may
     * @param atOnce the number of shards with data in each range
     */
    public static List<ShardRange> split(long first, long shards, @Nullable BitSet wanted, long atOnce) {
        List<ShardRange> ranges = new ArrayList<>();
        if (wanted == null) {
            for (long at = 0; at < shards; at += Math.min(atOnce, shards - at)) {
                ranges.add(new ShardRange(first + at, first + at + Math.min(atOnce, shards - at), null));
            }
            return ranges;
        }
        for (int at = wanted.nextSetBit(0); at >= 0; ) {
            int end = at + 1;
            for (long count = 1; count < atOnce && wanted.nextSetBit(end) >= 0; count++) {
                end = wanted.nextSetBit(end) + 1;
            }
            ranges.add(new ShardRange(first + at, first + end, wanted.get(at, end)));
            at = wanted.nextSetBit(end);
        }
        return ranges;
    }
}
