package dev.shardkit.region.stream;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.feed.FillFeed;
import dev.shardkit.region.stream.SlicePosition.Batch;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.session.StoredNode;
import dev.shardkit.slices.SliceBacklog;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.grid.RegularGrid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects slices until an inner chunk or a shard is complete, and writes them on the thread of the call that completes
 * it.
 */
public final class SliceBatches implements PendingSlices {
    private final StoredNode node;
    private final SlicePosition slicePosition;
    private final SlicePlan plan;
    private final CallerSlices slices;
    /** Java arrays of written slices, for reuse. */
    private final Deque<Object> spare = new ArrayDeque<>();
    /** The slices that are accepted but not committed. Linked: slices are taken from it without an allocation. */
    private final Deque<Slice> waiting = new LinkedList<>();

    /**
     * A slice.
     *
     * @param copy the array that holds a copy; null if there is none
     * @param group the caller's memory; null for a slice of fill values
     */
    private record Slice(Feed feed, @Nullable Object copy, CallerSlices.@Nullable SliceGroup group) {}

    /** The memory of stored slices. Its lists are allocated before slices are stored, so that adding cannot fail. */
    private static final class Freed {
        private final List<Object> copies;
        private final List<CallerSlices.SliceGroup> groups;

        Freed(int slices) {
            this.copies = new ArrayList<>(slices);
            this.groups = new ArrayList<>(slices);
        }

        void add(Slice slice) {
            if (slice.copy() != null) {
                copies.add(slice.copy());
            }
            if (slice.group() != null) {
                groups.add(slice.group());
            }
        }
    }

    private final AtomicReference<State> state;
    /** The position in the array behind the last stored slice. */
    private long committed;
    /** The number of slices that this stream has stored. */
    private long written;
    /** The slices of fill values that follow {@link #waiting}. While there are some, no slice is accepted. */
    private long gap;

    public SliceBatches(StoredNode node, SlicePosition slicePosition, SlicePlan plan, CallerSlices slices) {
        this.node = node;
        this.slicePosition = slicePosition;
        this.plan = plan;
        this.slices = slices;
        this.committed = slicePosition.region().origin(plan.dimension());
        this.state = new AtomicReference<>(currentState());
    }

    @Override
    public State state() {
        return state.get();
    }

    private State currentState() {
        // Slices are written in the callers' calls, so none of them has waited for the background: 0 waits, 0 ns.
        return new State(
                slicePosition.stored(),
                committed,
                committed + waiting.size() + gap,
                written,
                new SliceBacklog(waiting.size() + gap, Boxes.product(waiting.size(), plan.sliceBytes()), 0, 0));
    }

    @Override
    public void accept(CallerSlices.SliceGroup group, int i) {
        add(() -> group.isOwned() ? new Slice(group.feed(i), null, group) : copy(group, i));
    }

    @Override
    public void skip(long count) {
        // in a grid of chunks of different shapes, slices are skipped one by one
        long depth = slicePosition.stored().chunkGrid() instanceof RegularGrid grid
                ? grid.chunkShape()[plan.dimension()]
                : Long.MAX_VALUE;
        for (long left = count; left > 0; ) {
            long whole = SlicePosition.wholeShards(state.get().position(), left, depth);
            if (whole > 0) {
                flush();
                gap = whole;
                state.set(currentState());
                flush();
            } else {
                add(() -> new Slice(new FillFeed(slicePosition.stored().fillValue()), null, null));
            }
            left -= Math.max(1, whole);
        }
    }

    private void add(Supplier<Slice> slice) {
        slicePosition.reach(state.get().position() + 1);
        if (gap > 0 || isFull()) {
            flush(); // an earlier flush failed, so its slices are still here
            slicePosition.reach(state.get().position() + 1); // a flush ends with the stored shape
        }
        waiting.add(slice.get());
        state.set(currentState());
        if (isFull()) {
            flush();
        }
    }

    private Slice copy(CallerSlices.SliceGroup group, int i) {
        Object copy = group.copy(i, spare);
        return new Slice(slices.of(copy, 0).feed(0), copy, group);
    }

    private boolean isFull() {
        return waiting.size() >= plan.maxWaiting(slicePosition.chunks(), slicePosition.slice(committed));
    }

    @Override
    public void flush() {
        try {
            while (!waiting.isEmpty()) {
                Freed freed = new Freed(waiting.size());
                try {
                    slicePosition.store(node, committed, new Waiting(), batch -> recordCommitted(batch, freed));
                } finally {
                    release(freed);
                }
            }
            if (gap > 0) {
                slicePosition.store(node, committed, new SlicePosition.Gap(gap), batch -> {
                    committed = batch.end();
                    written += batch.count();
                    gap = 0;
                });
            }
        } finally {
            state.set(currentState()); // a batch that failed may have seen another shape
        }
    }

    /** Counts a batch as stored, and drops its slices. Allocates nothing, so it cannot fail. */
    private void recordCommitted(Batch batch, Freed freed) {
        committed = batch.end();
        written += batch.count();
        for (long i = 0; i < batch.count(); i++) {
            freed.add(waiting.remove());
        }
    }

    private void release(Freed freed) {
        try {
            state.set(currentState());
            slices.recycle(freed.copies, spare);
        } finally {
            CallerSlices.SliceGroup.releaseEach(freed.groups);
        }
    }

    @Override
    public void beginFlush() {
        try {
            flush();
        } catch (RuntimeException e) {
            Failures.log(System.Logger.Level.WARNING, "slices were not stored; the stream will try again", e);
        }
    }

    @Override
    public void pause() {
        // works in calls only
    }

    /** The slices that wait. */
    private final class Waiting implements SlicePosition.Contents {
        @Override
        public long count() {
            return waiting.size();
        }

        @Override
        public void write(RegionWrites writes, ChunkPlans chunks, ArrayMetadata metadata, Batch batch, Box slab) {
            List<Feed> feeds =
                    waiting.stream().limit(batch.count()).map(Slice::feed).toList();
            SliceStack stack = new SliceStack(plan.dimension(), feeds);
            for (Box tile : plan.tiles(chunks, slab)) {
                writes.write(tile, stack.window(tile.relativeTo(slab)));
            }
        }
    }

    @Override
    public void close() {
        spare.clear();
    }
}
