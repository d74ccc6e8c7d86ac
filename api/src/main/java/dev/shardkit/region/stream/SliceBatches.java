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
import java.util.List;
import java.util.Objects;
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
    /** The slices that are accepted but not committed. */
    private final List<Slice> waiting = new ArrayList<>();

    /**
     * A slice.
     *
     * @param copy the array that holds a copy; null if there is none
     * @param stored runs when the slice is stored
     */
    private record Slice(Feed feed, @Nullable Object copy, Runnable stored) {}

    private final AtomicReference<State> state;
    private long committed;
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
        return new State(
                slicePosition.stored(),
                committed,
                committed + waiting.size() + gap,
                written,
                new SliceBacklog(waiting.size() + gap, Boxes.product(waiting.size(), plan.sliceBytes()), 0, 0));
    }

    @Override
    public void accept(CallerSlices.SliceGroup group, int i) {
        add(() -> group.isOwned() ? new Slice(group.feed(i), null, () -> group.release(1)) : copy(group, i));
    }

    @Override
    public void skip(long count) {
        // in a grid of different shards, slices are not skipped together
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
                add(() -> new Slice(new FillFeed(slicePosition.stored().fillValue()), null, () -> {}));
            }
            left -= Math.max(1, whole);
        }
    }

    private void add(Supplier<Slice> slice) {
        slicePosition.reach(state.get().position() + 1);
        if (gap > 0 || isFull()) {
            flush(); // the slices still wait, because an earlier flush failed
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
        return new Slice(slices.of(copy, 0).feed(0), copy, () -> group.release(1));
    }

    private boolean isFull() {
        return waiting.size() >= plan.maxWaiting(slicePosition.chunks(), slicePosition.slice(committed));
    }

    @Override
    public void flush() {
        try {
            while (!waiting.isEmpty()) {
                Batch batch = slicePosition.store(node, committed, new Waiting());
                List<Slice> first = waiting.subList(0, Math.toIntExact(batch.count()));
                List<Slice> stored = List.copyOf(first);
                first.clear();
                committed = batch.end();
                written += batch.count();
                state.set(currentState());
                slices.recycle(
                        stored.stream()
                                .map(Slice::copy)
                                .filter(Objects::nonNull)
                                .toList(),
                        spare);
                stored.forEach(slice -> slice.stored().run());
            }
            if (gap > 0) {
                committed = slicePosition
                        .store(node, committed, new SlicePosition.Gap(gap))
                        .end();
                written += gap;
                gap = 0;
            }
        } finally {
            state.set(currentState()); // a batch that failed may have seen another shape
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
            List<Feed> feeds = waiting.subList(0, Math.toIntExact(batch.count())).stream()
                    .map(Slice::feed)
                    .toList();
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
