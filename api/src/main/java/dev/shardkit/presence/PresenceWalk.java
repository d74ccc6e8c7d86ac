package dev.shardkit.presence;

import dev.shardkit.engine.run.Engine;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.ListedCells;
import dev.shardkit.region.StoredShapeCheck;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
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
    /** The largest number of shards whose indexes a step reads. */
    private static final int MAX_SHARDS_PER_STEP = 64;

    /** The number of index entries that a step may read, so that memory stays bounded. */
    private static final long ENTRIES_PER_STEP = 1 << 18;

    private final StoredNode node;
    private final ChunkLevel level;
    private final Box region;
    private final Facts facts;
    private final ListedCells cells;
    /** Checks that the array was neither removed nor replaced when a read finds no object. */
    private final StoredShapeCheck shape;

    private final ShardScan scan;
    private final int shardsPerStep;
    /** The shards of the current step whose chunks were not returned yet. */
    private final Deque<Shard> openScans = new ArrayDeque<>();

    /** The facts that the caller needs about chunks: only their cells, or their sizes too. */
    public enum Facts {
        CELLS,
        SIZES
    }

    /** A shard whose scan has begun: the chunks found so far, and the position of the next step. */
    private record Shard(long[] cell, ShardScan.Step step) {}

    /** A run of chunks that exist, in order. */
    public interface Batch {
        int count();

        long[] cell(int i);

        /** Returns chunk {@code i}. The walk must be one for {@link Facts#SIZES}. */
        FoundChunk chunk(int i);
    }

    public PresenceWalk(StoredNode node, StoredShapeCheck shape, ChunkLevel level, Box region, Facts facts) {
        this(
                node,
                shape,
                level,
                region,
                facts,
                ListedCells.of(node, level.chunks(), level.chunks().grid().touched(region)));
    }

    /** Creates a walk through these stored chunks only. */
    public PresenceWalk(
            StoredNode node, StoredShapeCheck shape, ChunkLevel level, Box region, Facts facts, ListedCells cells) {
        this.node = node;
        this.level = level;
        this.region = region;
        this.facts = facts;
        this.cells = cells;
        this.shape = shape;
        this.scan = new ShardScan(level, ENTRIES_PER_STEP);
        this.shardsPerStep = shardsPerStep(level);
    }

    /**
     * Returns the number of stored chunks to look up in a step. At level 0, no index is read. Otherwise the indexes
     * must need little memory; shards behind codecs are held whole.
     */
    private static int shardsPerStep(ChunkLevel level) {
        if (level.level() == 0) {
            return 4 * MAX_SHARDS_PER_STEP; // a look-up of one chunk takes less memory than an index
        }
        ShardAccess shard = ChunkLevel.shard(level.chunks().firstCodec()).orElseThrow();
        long shards = shard.isReadWhole() ? 1 : ENTRIES_PER_STEP / Shapes.count(shard.gridShape());
        return (int) Math.max(1, Math.min(MAX_SHARDS_PER_STEP, shards));
    }

    /** Returns the batches of the next step; empty at the end. A batch may be empty before that. */
    public Optional<List<Batch>> next() {
        Engine.refuseInterrupted();
        if (openScans.isEmpty() && !cells.hasNext()) {
            refuseRemoved();
            return Optional.empty();
        }
        if (level.level() == 0) {
            return Optional.of(List.of(stored(nextCells())));
        }
        if (openScans.isEmpty()) {
            beginScans(nextCells());
        }
        List<Batch> found = new ArrayList<>();
        while (!openScans.isEmpty()) {
            Shard first = openScans.poll();
            first.step().found().forEach(f -> found.add(batch(f)));
            long[] next = first.step().next();
            if (next != null) {
                openScans.push(new Shard(first.cell(), continueScan(first.cell(), next)));
                break; // the next call returns its chunks
            }
        }
        return Optional.of(found);
    }

    /**
     * Throws if the array was removed during the walk: a listing of local files then lacks chunks that existed. A chunk
     * that is looked up by itself runs this check when it is absent.
     */
    private void refuseRemoved() {
        if (cells.areListed() && node.session().isLocal()) {
            shape.refuseRemoved();
        }
    }

    /** Returns the cells of the shards to read in the next step. */
    private List<long[]> nextCells() {
        List<long[]> batchCells = new ArrayList<>();
        while (batchCells.size() < shardsPerStep && cells.hasNext()) {
            batchCells.add(cells.next());
        }
        return batchCells;
    }

    /** Runs the first steps of several shards concurrently. They share the budget of entries. */
    private void beginScans(List<long[]> batchCells) {
        ShardScan scanShare = new ShardScan(level, Math.max(1, ENTRIES_PER_STEP / batchCells.size()));
        long[] start = new long[0]; // the position before the first step
        List<ShardScan.Step> steps = node.session()
                .engine()
                .call(
                        () -> Plan.all(batchCells.size(), i -> scanShare.step(batchCells.get((int) i), region, start)),
                        shape.reading());
        for (int i = 0; i < steps.size(); i++) {
            openScans.add(new Shard(batchCells.get(i), steps.get(i)));
        }
    }

    private ShardScan.Step continueScan(long[] cell, long[] position) {
        return node.session().engine().call(() -> scan.step(cell, region, position), shape.reading());
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

    /**
     * Returns the chunks at {@code batchCells} that are stored. Requests each chunk, unless the cells come from a
     * listing and the caller needs nothing else.
     */
    private Batch stored(List<long[]> batchCells) {
        List<long[]> found = new ArrayList<>();
        List<FoundChunk> chunks = new ArrayList<>();
        if (cells.areListed() && facts == Facts.CELLS) {
            found = batchCells;
        } else {
            List<Optional<FoundChunk>> requested = node.session()
                    .engine()
                    .call(() -> Plan.all(batchCells.size(), i -> stored(batchCells.get((int) i))), shape.reading());
            for (Optional<FoundChunk> chunk : requested) {
                chunk.ifPresent(chunks::add);
            }
            found = chunks.stream().map(FoundChunk::cell).toList();
        }
        List<long[]> foundCells = found;
        return new Batch() {
            @Override
            public int count() {
                return foundCells.size();
            }

            @Override
            public long[] cell(int i) {
                return foundCells.get(i);
            }

            @Override
            public FoundChunk chunk(int i) {
                return chunks.get(i);
            }
        };
    }

    private Plan<Optional<FoundChunk>> stored(long[] cell) {
        ChunkPlans chunks = level.chunks();
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
        return SourceByteRanges.of(source)
                .map(e -> new Extent(e.offset(), size))
                .orElse(null);
    }
}
