package dev.shardkit.region.slices;

import dev.shardkit.carrier.JavaArrayElements;
import dev.shardkit.engine.Failures;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.Boxes;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.RegionWrites;
import dev.shardkit.region.slices.SlicePosition.Batch;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.store.SliceQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Collects slices until an inner chunk or a shard is complete, and writes them on the thread of the call that completes
 * it.
 */
public final class SliceBatches implements PendingSlices {
    private final StoredNode node;
    private final SlicePosition slicePosition;
    private final SlicePlan plan;
    private final Slices slices;
    /** Java arrays of written slices, for reuse. */
    private final Deque<Object> spare = new ArrayDeque<>();
    /** Copies of the slices that are accepted but not committed. */
    private final List<Object> waiting = new ArrayList<>();

    private final AtomicReference<State> state;
    private long committed;
    private long written;

    public SliceBatches(StoredNode node, SlicePosition slicePosition, SlicePlan plan, Slices slices) {
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
                committed + waiting.size(),
                written,
                new SliceQueue(waiting.size(), Boxes.product(waiting.size(), plan.sliceBytes()), 0, 0));
    }

    @Override
    public void accept(Slices.SliceGroup group, int i) {
        slicePosition.reach(state.get().position() + 1);
        if (isFull()) {
            flush(); // the slices still wait, because an earlier flush failed
        }
        waiting.add(group.copy(i, spare));
        state.set(currentState());
        if (isFull()) {
            flush();
        }
    }

    private boolean isFull() {
        return waiting.size() >= plan.maxWaiting(slicePosition.chunks(), slicePosition.slice(committed));
    }

    @Override
    public void flush() {
        try {
            while (!waiting.isEmpty()) {
                Batch batch = slicePosition.store(node, committed, new Waiting());
                List<Object> stored = waiting.subList(0, batch.count());
                slices.recycle(stored, spare);
                stored.clear();
                committed = batch.end();
                written += batch.count();
                state.set(currentState());
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
        public int count() {
            return waiting.size();
        }

        @Override
        public void write(RegionWrites writes, Chunks chunks, ArrayMetadata metadata, Batch batch, Box slab) {
            long[] shape = slicePosition.slice(0).shape();
            List<Feed> feeds = waiting.subList(0, batch.count()).stream()
                    .map(s -> JavaArrayElements.feed(metadata.dataType(), shape, s, 0))
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
