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
 * Splits the shards of a copy into ranges of about equal work. A listing of the source shows which shards of the target
 * may hold data, one bit each. Stateless.
 */
final class CopySplit {
    /** The maximum size of a bitmap in bytes, for 2^29 shards. */
    private static final long MAX_BYTES = 64L << 20;

    private CopySplit() {}

    /** Returns a bit for each shard of the target that a stored chunk of the source touches; null if unknown. */
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

    /** Sets the bits of the cells in a box of the grid. */
    static void setBits(BitSet bits, Box cells, Box grid) {
        Box inside = cells.intersect(grid);
        long count = inside.count();
        for (long i = 0; i < count; i++) {
            bits.set((int) Shapes.ravel(inside.at(i), grid.shape()));
        }
    }

    static boolean isTooMany(long shards) {
        return shards / Byte.SIZE >= MAX_BYTES;
    }

    static long count(Box cells) {
        try {
            return cells.count();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Splits {@code shards} shards from number {@code first} on into ranges of {@code atOnce} wanted shards. */
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
            for (long n = 1; n < atOnce && wanted.nextSetBit(end) >= 0; n++) {
                end = wanted.nextSetBit(end) + 1;
            }
            ranges.add(new ShardRange(first + at, first + end, wanted.get(at, end)));
            at = wanted.nextSetBit(end);
        }
        return ranges;
    }
}
