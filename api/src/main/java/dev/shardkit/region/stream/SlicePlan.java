package dev.shardkit.region.stream;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.slices.SliceListener;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAssembly;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Patches;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.policy.WriteOwnership;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The strategy and the memory budget with which a stream collects slices and writes them. It holds no slices.
 *
 * @param strategy the chosen strategy
 * @param dimension the dimension along which slices follow each other
 * @param sliceBytes the bytes of a slice
 * @param budget the bytes of slices that may wait
 */
public record SlicePlan(SliceStrategy strategy, int dimension, long sliceBytes, long budget) {
    /** The approximate size of an element of variable size. */
    private static final long VARIABLE_SIZE = 64;

    /** The smallest useful size of a tile. Smaller tiles cost more writes than they save memory. */
    private static final long MIN_TILE_BYTES = 8 << 20;

    /** The smallest budget for which hand-overs to other threads are worth their cost. */
    private static final long MIN_PIPELINE_BYTES = 4 << 20;

    /** The most bytes of inner chunks that are encoded in one turn; see {@link #groupSize}. */
    private static final long GROUP_BYTES = 64 << 20;

    /** The bytes of buffers of files: each thread that writes files has two buffers of 512 KiB. */
    private static final long DIRECT_BYTES = Runtime.getRuntime().availableProcessors() * (1L << 20);

    /** Returns the plan for slices like {@code first}. */
    public static SlicePlan of(
            StoredNode node, ChunkPlans chunks, Box first, int dimension, SliceStrategy requested, long budget) {
        ChunkCodec codec = chunks.firstCodec();
        long element = codec.type().dataType().elementSize().isPresent()
                ? codec.type().dataType().elementSize().getAsInt()
                : VARIABLE_SIZE;
        long bytes = Math.max(1, Boxes.product(Boxes.count(first), element));
        long shard = codec.type().shape()[dimension];
        SlicePlan pipelined = new SlicePlan(SliceStrategy.PIPELINED, dimension, bytes, budget);
        boolean pipelines =
                requested == SliceStrategy.PIPELINED || requested == SliceStrategy.AUTO && budget >= MIN_PIPELINE_BYTES;
        if (pipelines && pipelined.canPipeline(node, chunks, first)) {
            return pipelined;
        }
        SliceStrategy strategy = requested;
        if (strategy == SliceStrategy.AUTO || strategy == SliceStrategy.PIPELINED) {
            boolean patches = node.session().writable("writing slices").can(Patches.class);
            boolean fitsShard = shard <= Math.max(1, budget / bytes);
            if (fitsShard || !patches || codec.shardAccess().isEmpty()) {
                strategy = SliceStrategy.BUFFERED;
            } else {
                boolean hasFixedSize =
                        codec.shardAccess().get().inner().encodedSize().isPresent();
                strategy = hasFixedSize ? SliceStrategy.IN_PLACE : SliceStrategy.APPEND;
            }
        }
        return new SlicePlan(strategy, dimension, bytes, budget);
    }

    /** Returns the slices that a stream accepts, which are written by this plan. */
    public PendingSlices begin(StoredNode node, SlicePosition position, CallerSlices slices, SliceListener listener) {
        return strategy == SliceStrategy.PIPELINED
                ? new SlicePipeline(node, position, this, columns(position.chunks(), position.region()), listener)
                : new SliceBatches(node, position, this, slices);
    }

    private SliceColumns columns(ChunkPlans chunks, Box region) {
        ChunkCodec codec = chunks.firstCodec();
        return new SliceColumns(
                chunks.metadata(),
                dimension,
                codec.type().shape(),
                codec.shardAccess().orElseThrow().innerShape(),
                region);
    }

    /**
     * Returns whether slices can be encoded in the background: they are numbers in inner chunks of equal shapes that
     * are encoded without their shard, and there is memory for a layer of inner chunks and the next slices, or for a
     * shard and a layer if the store cannot stage objects.
     */
    private boolean canPipeline(StoredNode node, ChunkPlans chunks, Box first) {
        return isPipelineSupported(chunks, first) && pipelineLimit(chunks, first) >= minPipelineLimit(node, chunks);
    }

    private static boolean isPipelineSupported(ChunkPlans chunks, Box first) {
        ArrayMetadata array = chunks.metadata();
        Optional<ShardAccess> shard = chunks.firstCodec().shardAccess();
        return shard.isPresent()
                && !shard.get().isReadWhole()
                && array.codecs().arrayToArray().isEmpty()
                && array.storageTransformers().isEmpty()
                && array.chunkGrid() instanceof RegularGrid
                && array.dataType().number().map(n -> n.bits() >= Byte.SIZE).orElse(false)
                && array.dataType().elementSize().isPresent()
                && JavaArrayAdapters.wordsPerElement(array.dataType()) == 1
                && !first.isEmpty();
    }

    /** Returns the least memory of a pipeline: a layer and two slices, and a shard if it is not staged. */
    private long minPipelineLimit(StoredNode node, ChunkPlans chunks) {
        return Boxes.sum(Boxes.sum(layerBytes(chunks), Boxes.product(2, sliceBytes)), unstagedBytes(node, chunks));
    }

    /** Returns the bytes of the slices of a shard that waits in memory until it is sent; 0 if it is staged. */
    private long unstagedBytes(StoredNode node, ChunkPlans chunks) {
        return stages(node, chunks).isPresent()
                ? 0
                : Boxes.product(chunks.firstCodec().type().shape()[dimension], sliceBytes);
    }

    /**
     * Returns a budget with which a layer of slices is accepted while the layer before it is encoded and, if shards are
     * not staged, a shard is accepted while the shard before it is sent; empty if slices are never pipelined.
     */
    public OptionalLong smoothBytes(StoredNode node, ChunkPlans chunks, Box first) {
        return budgetFor(chunks, first, () -> {
            long waiting = Boxes.sum(layerBytes(chunks), unstagedBytes(node, chunks));
            return Boxes.sum(minPipelineLimit(node, chunks), waiting);
        });
    }

    /** Returns the bytes of the slices of a layer of inner chunks, or of a chunk. */
    private long layerBytes(ChunkPlans chunks) {
        ChunkCodec codec = chunks.firstCodec();
        long[] inner = codec.shardAccess()
                .map(ShardAccess::innerShape)
                .orElse(codec.type().shape());
        return Boxes.product(inner[dimension], sliceBytes);
    }

    /** Returns a budget with which slices like {@code first} are pipelined; empty if they never are. */
    public OptionalLong pipelineBytes(StoredNode node, ChunkPlans chunks, Box first) {
        return budgetFor(chunks, first, () -> minPipelineLimit(node, chunks));
    }

    /**
     * Returns the budget that leaves {@code sliceMemory} bytes to slices, beside a group ({@link #groupSize}) that is
     * being encoded and its encoded bytes. Returns empty if slices like {@code first} are never pipelined.
     */
    private OptionalLong budgetFor(ChunkPlans chunks, Box first, LongSupplier sliceMemory) {
        if (!isPipelineSupported(chunks, first)) {
            return OptionalLong.empty();
        }
        long slices = sliceMemory.getAsLong();
        long threads = Math.min(
                Runtime.getRuntime().availableProcessors(),
                columns(chunks, first).count());
        // The reverse of groupSize(), doubled for the encoded bytes. A group takes an eighth of the budget, which is a
        // seventh of the slices' share. If that is less than an inner chunk for each thread, it takes as many, up to a
        // quarter of the budget, which is a third of the slices' share. It has at least one inner chunk.
        long forThreads = Math.min(slices / 3 + 1, Boxes.product(2 * threads, innerBytes(chunks)));
        long group = Math.max(Math.max(slices / 7 + 1, forThreads), Boxes.product(2, innerBytes(chunks)));
        return OptionalLong.of(Math.max(MIN_PIPELINE_BYTES, Boxes.sum(slices, group)));
    }

    /** Returns the most bytes of slices, encoded or not, that are on the heap at once. */
    public long heapBytes(StoredNode node, ChunkPlans chunks, Box first) {
        if (strategy == SliceStrategy.PIPELINED) {
            return usableBytes() - (stages(node, chunks).isPresent() ? pipelineLimit(chunks, first) : 0);
        }
        // Buffered slices are encoded together, to about the same size. Other strategies encode tile by tile.
        long waiting = Boxes.product(maxWaiting(chunks, first), sliceBytes);
        return strategy == SliceStrategy.BUFFERED
                ? Boxes.product(2, waiting)
                : Boxes.sum(waiting, Math.max(budget / 4, MIN_TILE_BYTES));
    }

    /** Returns the most bytes outside the heap: slices of a pipeline whose shards are staged, and buffers of files. */
    public long directBytes(StoredNode node, ChunkPlans chunks, Box first) {
        boolean isStaged =
                strategy == SliceStrategy.PIPELINED && stages(node, chunks).isPresent();
        return DIRECT_BYTES + (isStaged ? pipelineLimit(chunks, first) : 0);
    }

    /**
     * Returns the store's ability to stage objects, if encoded inner chunks can be staged in their final order: whole
     * layers in C order, with the index behind them. Returns empty otherwise.
     */
    Optional<StagedPuts> stages(StoredNode node, ChunkPlans chunks) {
        ShardWritePolicy policy = node.session().options().writing().policy();
        ShardAccess shard = chunks.firstCodec().shardAccess().orElseThrow();
        Optional<ShardAssembly> framing = shard.assembly();
        // Other policies reserve room in shards, keep foreign bytes, or order inner chunks in another way.
        boolean isPlain = policy.slack().equals(ShardWritePolicy.Slack.NONE)
                && policy.allocation() == ShardWritePolicy.Allocation.AS_NEEDED
                && policy.foreignBytes() != ShardWritePolicy.ForeignBytes.KEEP
                && (policy.order() == ShardWritePolicy.Order.C
                        || policy.order() == ShardWritePolicy.Order.AS_THEY_COME);
        boolean isInOrder = framing.isPresent();
        for (int d = 0; d < dimension; d++) { // with several inner chunks here, C order would interleave the layers
            isInOrder &= shard.gridShape()[d] == 1;
        }
        if (!isPlain || !isInOrder || !(node.session().store().reads() instanceof LocalReads) || !canReplace(node)) {
            return Optional.empty();
        }
        // Frames an empty shard: if its head has no bytes, the index is at the end.
        long[] allMissing = new long[Math.toIntExact(Shapes.count(shard.gridShape()))];
        Arrays.fill(allMissing, -1);
        try (Scratch scratch = new Scratch(0)) {
            boolean isIndexLast = framing.get()
                            .frame(allMissing, ShardWritePolicy.Order.C, scratch)
                            .head()
                            .size()
                    == 0;
            return isIndexLast ? node.session().store().find(StagedPuts.class) : Optional.empty();
        }
    }

    /** Returns whether the stream replaces objects without conditions: under a lock, or as their owner. */
    private static boolean canReplace(StoredNode node) {
        return node.session().options().writing().ownership() == WriteOwnership.OWNED
                || node.session().store().can(Locks.class);
    }

    /**
     * Returns the number of inner chunks that are encoded in one turn. They fill a sixteenth of the memory (at most
     * {@link #GROUP_BYTES}): large groups, because threads wait for each other at the end of a turn. If that is fewer
     * than one inner chunk for each thread, they fill up to an eighth. At least one, and at most a layer.
     */
    int groupSize(ChunkPlans chunks, Box region) {
        long inner = innerBytes(chunks);
        long forThreads = Math.min(Runtime.getRuntime().availableProcessors(), usableBytes() / 8 / inner);
        long wanted = Math.min(GROUP_BYTES, usableBytes() / 16) / inner;
        return (int) Math.min(columns(chunks, region).count(), Math.max(1, Math.max(wanted, forThreads)));
    }

    private long innerBytes(ChunkPlans chunks) {
        return Boxes.product(
                Boxes.count(
                        Box.of(chunks.firstCodec().shardAccess().orElseThrow().innerShape())),
                elementBytes(chunks));
    }

    /** Returns the bytes of slices, encoded or not, that may be in memory beside the group that is being encoded. */
    long pipelineLimit(ChunkPlans chunks, Box region) {
        return usableBytes() - Boxes.product(2L * groupSize(chunks, region), innerBytes(chunks));
    }

    /** Returns the budget; at most five eighths of the heap, because garbage and other objects need room too. */
    private long usableBytes() {
        return Math.min(budget, Runtime.getRuntime().maxMemory() / 8 * 5);
    }

    /** Returns the options for the writes of this strategy. */
    public Settings options(Settings options) {
        ShardWritePolicy policy = options.writing().policy();
        return options.with(
                switch (strategy) {
                    // Whole allocation, because missing inner chunks would otherwise have no room in the shard.
                    case IN_PLACE ->
                        policy.withStrategy(ShardWritePolicy.Strategy.IN_PLACE)
                                .withAllocation(ShardWritePolicy.Allocation.WHOLE)
                                .withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);
                    case APPEND -> policy.withStrategy(ShardWritePolicy.Strategy.APPEND);
                    default -> policy;
                });
    }

    /**
     * Returns how many slices may wait before they are written, if {@code first} is the box of the first of them: as
     * many as the budget holds, but no more than the rest of an inner chunk. Buffered slices may fill the rest of their
     * shard; if the budget does not hold it, they end at the end of an inner chunk, which is then encoded only once.
     */
    public long maxWaiting(ChunkPlans chunks, Box first) {
        if (first.isEmpty()) {
            return 1;
        }
        Box shard = chunks.grid().chunk(chunks.grid().touched(first).origin());
        long unit = chunks.codec(chunks.grid().touched(first).origin()).readShape()[dimension];
        long offset = first.origin(dimension) - shard.origin(dimension);
        long toUnit = unit - offset % unit;
        long toShard = shard.shape(dimension) - offset;
        long fitting = Math.max(1, budget / sliceBytes);
        if (strategy != SliceStrategy.BUFFERED || fitting <= toUnit) {
            return Math.min(fitting, toUnit);
        }
        return fitting >= toShard ? toShard : toUnit + (fitting - toUnit) / unit * unit;
    }

    /**
     * Divides a slab into boxes, each of which is written by one call. Buffered slices are one box, so that each shard
     * is written once. Others become tiles of whole inner chunks of about a quarter of the budget (at least 8 MiB),
     * because a patch of a shard is held in memory.
     */
    public List<Box> tiles(ChunkPlans chunks, Box slab) {
        if (strategy == SliceStrategy.BUFFERED || slab.isEmpty()) {
            return List.of(slab);
        }
        List<Box> tiles = new ArrayList<>();
        Deque<Box> pending = new ArrayDeque<>(List.of(slab));
        while (!pending.isEmpty()) {
            Box box = pending.pop();
            int cut = bytes(chunks, box) <= Math.max(budget / 4, MIN_TILE_BYTES) ? -1 : widest(chunks, box);
            if (cut < 0) {
                tiles.add(box);
                continue;
            }
            // Halves the box between two inner chunks. The middle is the number of the first one of the second half.
            long unit = unit(chunks, box, cut);
            long middle =
                    box.origin(cut) / unit + Math.max(1, (box.end(cut) - 1) / unit - box.origin(cut) / unit + 1) / 2;
            pending.push(Boxes.cut(box, cut, middle * unit, box.end(cut)));
            pending.push(Boxes.cut(box, cut, box.origin(cut), middle * unit));
        }
        return tiles;
    }

    /** Returns the bytes of the inner chunks that are encoded for {@code box}. */
    private long bytes(ChunkPlans chunks, Box box) {
        long unit = unit(chunks, box, dimension);
        return sliceBytes == 0
                ? 0
                : Boxes.product(Boxes.product(Boxes.count(box) / box.shape(dimension), elementBytes(chunks)), unit);
    }

    private static long elementBytes(ChunkPlans chunks) {
        return chunks.firstCodec().type().dataType().elementSize().orElse((int) VARIABLE_SIZE);
    }

    /** Returns the dimension across the slices with the most inner chunks; negative if each has only one. */
    private int widest(ChunkPlans chunks, Box box) {
        int widest = -1;
        long maxCount = 1;
        for (int d = 0; d < box.rank(); d++) {
            long unit = unit(chunks, box, d);
            long count = (box.end(d) - 1) / unit - box.origin(d) / unit + 1;
            if (d != dimension && count > maxCount) {
                maxCount = count;
                widest = d;
            }
        }
        return widest;
    }

    /** Returns the length in dimension {@code d} of the first inner chunk (or chunk, without shards) in {@code box}. */
    private static long unit(ChunkPlans chunks, Box box, int d) {
        return chunks.codec(chunks.grid().touched(box).origin()).readShape()[d];
    }
}
