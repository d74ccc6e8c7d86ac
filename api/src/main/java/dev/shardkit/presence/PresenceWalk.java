package dev.shardkit.presence;

import dev.shardkit.engine.run.Engine;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.ListedCells;
import dev.shardkit.region.StoredShape;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the chunks that exist, step by step: each step reads a few shard indexes. The shards are in C order, and so are
 * the chunks of each shard, at every level. Memory is bounded by the few indexes of a step. Within a step, each object
 * is read in one version. Used by one thread at a time.
 */
public final class PresenceWalk {
    private static final int MAX_AT_ONCE = 64;
    private static final long ENTRIES_AT_ONCE = 1 << 18;

    private final StoredNode node;
    private final ChunkLevel level;
    private final Box region;
    private final Wanted wanted;
    private final ListedCells cells;
    private final StoredShape shape;
    private final ShardScan scan;
    private final int atOnce;
    private final Deque<Shard> underWay = new ArrayDeque<>();

    /** The facts that the caller needs about chunks: only their cells, or their sizes too. */
    public enum Wanted {
        CELLS,
        SIZES
    }

    /** A shard whose scan has begun: the chunks found so far, and the position of the next step. */
    private record Shard(long[] cell, ShardScan.Step step) {}

    /** Some of the chunks that exist, in order. */
    public interface Batch {
        int count();

        long[] cell(int i);

        FoundChunk chunk(int i);
    }

    public PresenceWalk(StoredNode node, StoredShape shape, ChunkLevel level, Box region, Wanted wanted) {
        this(
                node,
                shape,
                level,
                region,
                wanted,
                ListedCells.of(node, level.chunks(), level.chunks().grid().touched(region)));
    }

    /** Creates a walk through these stored chunks only. */
    public PresenceWalk(
            StoredNode node, StoredShape shape, ChunkLevel level, Box region, Wanted wanted, ListedCells cells) {
        this.node = node;
        this.level = level;
        this.region = region;
        this.wanted = wanted;
        this.cells = cells;
        this.shape = shape;
        this.scan = new ShardScan(level, ENTRIES_AT_ONCE);
        this.atOnce = atOnce(level);
    }

    /**
     * Returns the number of shards to read at a time, so that their indexes need little memory. Shards behind codecs
     * are held whole.
     */
    private static int atOnce(ChunkLevel level) {
        if (level.level() == 0) {
            return 4 * MAX_AT_ONCE;
        }
        Partitioned shard = ChunkLevel.shard(level.chunks().firstCodec()).orElseThrow();
        long most = shard.isReadWhole() ? 1 : ENTRIES_AT_ONCE / Shapes.count(shard.cells());
        return (int) Math.max(1, Math.min(MAX_AT_ONCE, most));
    }

    /** Returns the batches of the next step; empty at the end. A batch may be empty before that. */
    public Optional<List<Batch>> next() {
        Engine.refuseInterrupted();
        if (underWay.isEmpty() && !cells.hasNext()) {
            refuseRemoved();
            return Optional.empty();
        }
        if (level.level() == 0) {
            return Optional.of(List.of(stored(take())));
        }
        if (underWay.isEmpty()) {
            begin(take());
        }
        List<Batch> found = new ArrayList<>();
        while (!underWay.isEmpty()) {
            Shard first = underWay.poll();
            first.step().found().forEach(f -> found.add(batch(f)));
            long[] next = first.step().next();
            if (next != null) {
                underWay.push(new Shard(first.cell(), goOn(first.cell(), next)));
                break;
            }
        }
        return Optional.of(found);
    }

    /** Chunks that a local store did not list are absent only if the array is still there. */
    private void refuseRemoved() {
        if (cells.areListed() && node.session().isNear()) {
            shape.refuseRemoved();
        }
    }

    private List<long[]> take() {
        List<long[]> taken = new ArrayList<>();
        while (taken.size() < atOnce && cells.hasNext()) {
            taken.add(cells.next());
        }
        return taken;
    }

    private void begin(List<long[]> taken) {
        ShardScan share = new ShardScan(level, Math.max(1, ENTRIES_AT_ONCE / taken.size()));
        List<ShardScan.Step> steps = node.session()
                .engine()
                .call(
                        () -> Plan.all(taken.size(), i -> share.step(taken.get((int) i), region, new long[0])),
                        shape.reading());
        for (int i = 0; i < steps.size(); i++) {
            underWay.add(new Shard(taken.get(i), steps.get(i)));
        }
    }

    private ShardScan.Step goOn(long[] cell, long[] from) {
        return node.session().engine().call(() -> scan.step(cell, region, from), shape.reading());
    }

    private static Batch batch(ShardScan.Found found) {
        return new Batch() {
            @Override
            public int count() {
                return found.count();
            }

            @Override
            public long[] cell(int i) {
                return found.cell(i);
            }

            @Override
            public FoundChunk chunk(int i) {
                return found.chunk(i);
            }
        };
    }

    /** Returns stored chunks. Requests each chunk, unless it was listed and only its cell is needed. */
    private Batch stored(List<long[]> taken) {
        List<long[]> there = new ArrayList<>();
        List<FoundChunk> chunks = new ArrayList<>();
        if (cells.areListed() && wanted == Wanted.CELLS) {
            there = taken;
        } else {
            List<Optional<FoundChunk>> asked = node.session()
                    .engine()
                    .call(() -> Plan.all(taken.size(), i -> stored(taken.get((int) i))), shape.reading());
            for (Optional<FoundChunk> chunk : asked) {
                chunk.ifPresent(chunks::add);
            }
            there = chunks.stream().map(FoundChunk::cell).toList();
        }
        List<long[]> all = there;
        return new Batch() {
            @Override
            public int count() {
                return all.size();
            }

            @Override
            public long[] cell(int i) {
                return all.get(i);
            }

            @Override
            public FoundChunk chunk(int i) {
                return chunks.get(i);
            }
        };
    }

    private Plan<Optional<FoundChunk>> stored(long[] cell) {
        Chunks chunks = level.chunks();
        Box box = chunks.grid().chunk(cell);
        return chunks.source(cell).then(source -> ChunkLevel.size(source)
                .map(size -> size.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new FoundChunk(
                                cell,
                                level.inside(box),
                                chunks.storedKey(cell),
                                extent(source, size.getAsLong()),
                                size.getAsLong()))));
    }

    private static @Nullable Extent extent(Source source, long size) {
        return StoredExtents.of(source).map(e -> new Extent(e.offset(), size)).orElse(null);
    }
}
