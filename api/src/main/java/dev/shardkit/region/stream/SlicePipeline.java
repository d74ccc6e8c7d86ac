package dev.shardkit.region.stream;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.threads.OrderedResults;
import dev.shardkit.engine.threads.SerialCalls;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.feed.PaddedFeed;
import dev.shardkit.region.stream.SliceLayer.Encoded;
import dev.shardkit.region.stream.SliceLayer.Slice;
import dev.shardkit.region.stream.SlicePosition.Batch;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.session.StoredNode;
import dev.shardkit.slices.SliceBacklog;
import dev.shardkit.slices.SliceListener;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnknownOutcomeException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.StagedPuts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and stores the slices of a stream in the background, while the caller supplies more slices. A slice is copied
 * into tiles. When a layer is complete, its inner chunks are encoded, a group at a time, and their tiles are reused for
 * later slices. If the store can stage objects, the encoded inner chunks go there; otherwise they wait in memory. A
 * complete shard is stored as one change, like any other write.
 *
 * <p><b>Terms.</b> "The dimension" is the one along which slices follow one another. Slices are numbered from the first
 * one of the stream, and fields such as {@code committed} hold these numbers. A <i>position</i> is an index in the
 * array.
 *
 * <ul>
 *   <li>A <i>column</i> is a line of inner chunks along the dimension. A slice crosses one inner chunk of each column
 *       ({@link SliceColumns}).
 *   <li>A <i>layer</i> is a run of slices in the same inner chunks ({@link SliceLayer}). So a column of a layer is one
 *       inner chunk. A layer is <i>open</i> while it takes slices, then <i>closed</i>, then <i>processed</i>: encoded,
 *       or, if it does not fill its inner chunks, marked to be stored as elements.
 *   <li>A <i>tile</i> is the part of one slice in one column. A layer has tiles until its columns are encoded.
 *   <li>A <i>group</i> is some columns of one layer, which are encoded together.
 *   <li>A <i>row of shards</i>, or <i>slab</i>, is the shards that the same slices cross, side by side.
 *   <li>A <i>gap</i> is a layer of skipped slices that covers whole rows of shards. Its elements are the fill value.
 *   <li>A <i>batch</i> is the slices that are stored together: usually those of one row of shards.
 *   <li>To <i>stage</i> is to append encoded inner chunks to new objects of the store, which readers see only when the
 *       row is stored. At most one row of shards is staged at a time ({@link StagedShards}).
 *   <li>A <i>mark</i> is the size of each staged object at one moment. Restoring it removes the later bytes.
 *   <li>Slices are <i>due</i> if they are to be stored as soon as they are encoded, and <i>committed</i> when they are
 *       stored.
 * </ul>
 *
 * <p><b>Turns.</b> All background work is done in turns, which are calls in a queue ({@link SerialCalls}): an encoding
 * turn encodes a group, a storing turn stores batches. A thread that waits for a turn runs it itself if no other thread
 * has begun it. If shards are staged, one queue has both kinds of work, and an encoding turn also stores. Shards that
 * are not staged, such as those of buckets, are stored in a second queue, so the next shard is encoded while one is
 * sent.
 *
 * <p><b>Guards.</b> The monitor of this object guards its fields and the layers. A closed layer changes only in turns,
 * and not while it is being stored, so turns read it without the monitor. Two fields need no monitor, because only one
 * queue uses them: only turns that store use {@link #slicePosition}, and {@link #stagedShards} exist only if there is
 * one queue.
 *
 * <p><b>Memory.</b> Tiles, encoded inner chunks and a group that is being encoded never exceed the budget: a slice
 * waits until it fits. If the layers that are encoded in memory leave no room for another layer, they are stored before
 * their shard is complete. Layers that are stored or due do not count as layers in memory here.
 *
 * <p><b>Other writers.</b> Inner chunks are encoded for the expected position in the array. If other streams extend the
 * array first, the slices get another position when they are stored: encoded inner chunks are decoded again, and
 * written as elements.
 *
 * <p><b>Failures.</b> A turn that fails leaves its work undone and ends the background work. The next slice is refused
 * with the failure. The slice after it, or a flush, begins the work again. A table above {@link #due} lists the states.
 */
public final class SlicePipeline implements PendingSlices {
    private final StoredNode node;
    private final SlicePosition slicePosition;
    private final SlicePlan plan;
    private final SliceColumns columns;
    /** The codec of the shards and of their inner chunks. */
    private final ShardAccess shard;
    /** The store's ability to stage objects; empty if the shards of this stream are not staged. */
    private final Optional<StagedPuts> stages;

    private final ShardWritePolicy policy;
    /** The queue of the encoding turns. */
    private final SerialCalls encodingQueue;
    /** The queue of the storing turns; the same as {@link #encodingQueue} if shards are staged. */
    private final SerialCalls storingQueue;

    private final SliceListener listener;
    /** The most bytes of tiles and encoded inner chunks in memory, not counting a group that is being encoded. */
    private final long limit;
    /** The number of columns in a group; the last group of a layer may have fewer. */
    private final int groupSize;

    /**
     * The layers whose slices are not stored, or whose memory is not freed yet, in order. Linked, because an ArrayDeque
     * that cannot grow for lack of memory loses its elements: accepted slices.
     */
    private final Deque<SliceLayer> layers = new LinkedList<>();
    /** The encoding turns that have not ended. */
    private final Deque<Turn> encodingTurns = new LinkedList<>();
    /** The storing turns that have not ended; always empty if there is one queue. */
    private final Deque<Turn> storingTurns = new LinkedList<>();
    /** Tiles for reuse, by their number of bytes. */
    private final Map<Integer, Deque<ByteBuffer>> spareTiles = new HashMap<>();

    /** The bytes of the slices in memory that are not encoded, in tiles or in the caller's memory. */
    private long tileBytes;
    /** The bytes of the spare tiles. */
    private long spareBytes;
    /** The bytes of the encoded inner chunks in memory. */
    private long encodedBytes;
    /**
     * The position in the array of slice 0 of the stream, as seen from the slices that are not stored yet: slice n of
     * the stream goes to {@code origin + n}. Grows when other streams extend the array first.
     */
    private long origin;

    /** The number of slices that the stream has accepted. */
    private long accepted;
    /** The number of slices that are stored. This is also the number of the first slice that is not stored. */
    private long committed;

    // A slice is accepted into the open layer. The layer is closed, then encoded by turns. When its slices are encoded
    // and due, in either order, they are stored: committed. The fields that control the turns:
    //
    // field      | set                                  | effect                          | cleared
    // -----------+--------------------------------------+---------------------------------+---------------------------
    // due        | raised by a full row of shards, full | slices from committed to due    | when committed reaches it
    //            | memory, a gap, a flush               | are stored as soon as encoded   |
    // failure    | by a turn that fails                 | turns do nothing, none begins   | when the next slice is
    //            |                                      |                                 | refused with it; by a flush
    // paused     | by pause(), by a flush that fails    | turns do nothing, none begins,  | by the next slice, skip or
    //            |                                      | a failing turn sets no failure  | beginFlush()
    // refusedEnd | when the executor rejects a turn     | no turn begins; callers that    | when another layer closes
    //            |                                      | wait run the turns              |
    //
    // So after a failed turn, one slice is refused, and the next one begins turns again. A flush does the work in the
    // caller's call, whatever the fields say: it clears the failure first. If it fails too, the stream is paused.

    /** The slices before this one are due: to be stored as soon as they are encoded. */
    private long due;

    /** The failure of a turn, which the next call reports; null if there is none. */
    private @Nullable Throwable failure;
    /** Whether turns do nothing, because the caller stopped them or knows a failure from a flush already. */
    private boolean paused;
    /** The end of the last closed layer when the executor refused a turn; -1 before. */
    private long refusedEnd = -1;

    /** How often the caller had to wait for memory. */
    private long waits;
    /** How long the caller has waited for memory, in nanoseconds. */
    private long waitNanos;
    /** The metadata of the array, as the last storing turn has read it. */
    private ArrayMetadata storedMetadata;

    /** The row of shards that is staged now; null if there is none. Used in turns only. */
    private @Nullable StagedShards stagedShards;

    /**
     * One turn that was started in the background. It is registered in a list of turns before it is started, so
     * {@link #pause} finds it. Work that is added after a turn has begun needs another turn.
     */
    private static final class Turn {
        private volatile boolean hasBegun;
        /** The future of the call in the queue; null until the call is queued. */
        private volatile @Nullable CompletableFuture<NoResult> end;

        private volatile boolean isCancelled;

        void start(SerialCalls queue, Supplier<NoResult> work) {
            CompletableFuture<NoResult> started = queue.start(
                    () -> {
                        hasBegun = true;
                        return work.get();
                    },
                    () -> {});
            end = started;
            if (isCancelled) {
                started.cancel(true);
            }
        }

        void cancel() {
            isCancelled = true;
            CompletableFuture<NoResult> started = end;
            if (started != null) {
                started.cancel(true);
            }
        }

        boolean hasEnded() {
            CompletableFuture<NoResult> started = end;
            return started != null && started.isDone();
        }

        /** Returns whether the turn has yet to begin, so that it finds all work that is added now. */
        boolean isWaiting() {
            return !hasBegun && !hasEnded();
        }

        /**
         * Waits for the end. Returns whether the turn has run and did not fail. Returns false at once if the call is
         * not queued yet.
         */
        boolean await() {
            CompletableFuture<NoResult> started = end;
            return started != null && SerialCalls.await(started);
        }
    }

    SlicePipeline(
            StoredNode node,
            SlicePosition slicePosition,
            SlicePlan plan,
            SliceColumns columns,
            SliceListener listener) {
        this.node = node;
        this.slicePosition = slicePosition;
        this.plan = plan;
        this.columns = columns;
        this.listener = listener;
        this.shard = slicePosition.chunks().firstCodec().shardAccess().orElseThrow();
        this.stages = plan.stages(node, slicePosition.chunks());
        this.policy = node.session().options().writing().policy();
        this.encodingQueue = node.session().serialCalls();
        this.storingQueue = stages.isPresent() ? encodingQueue : node.session().serialCalls();
        this.groupSize = plan.groupSize(slicePosition.chunks(), columns.region());
        this.limit = plan.pipelineLimit(slicePosition.chunks(), columns.region());
        this.origin = slicePosition.region().origin(plan.dimension());
        this.storedMetadata = slicePosition.stored();
    }

    @Override
    public synchronized State state() {
        return new State(storedMetadata, origin + committed, origin + accepted, committed, backlog());
    }

    private SliceBacklog backlog() {
        return new SliceBacklog(accepted - committed, tileBytes + encodedBytes, waits, waitNanos);
    }

    @Override
    public void accept(CallerSlices.SliceGroup group, int i) {
        boolean isAdded = false;
        reserveMemory();
        try {
            Slice slice = group.isOwned() ? Slice.Owned.of(group, i, columns.count()) : copied(group, i);
            append(slice);
            isAdded = true;
        } finally {
            if (!isAdded) { // memory ran out, or the caller's elements could not be read
                synchronized (this) {
                    tileBytes -= plan.sliceBytes();
                }
            }
        }
        beginTurns();
    }

    @Override
    public void skip(long count) {
        for (long left = count; left > 0; ) {
            long gap;
            synchronized (this) {
                refuseFailed();
                gap = SlicePosition.wholeShards(origin + accepted, left, columns.shardDepth());
                if (gap > 0) {
                    closeLast();
                    layers.addLast(SliceLayer.gap(accepted, gap));
                    accepted += gap;
                    due = accepted;
                }
            }
            if (gap == 0) { // the next slice lies inside a shard, or too few slices are left for a whole one
                append(Slice.Fill.INSTANCE);
            }
            beginTurns();
            left -= Math.max(1, gap);
        }
    }

    /** Closes the last layer, if there is one. */
    private void closeLast() {
        if (!layers.isEmpty()) {
            layers.peekLast().close();
        }
    }

    /** Adds a slice to the open layer, or to a new one. */
    private synchronized void append(Slice slice) {
        SliceLayer last = layers.peekLast();
        SliceLayer layer = last == null || last.isClosed() ? beginLayer() : last;
        layer.add(slice);
        accepted++;
    }

    /** Copies slice {@code i} of a group into tiles. */
    private Slice copied(CallerSlices.SliceGroup group, int i) {
        @Nullable ByteBuffer[] tiles = takeTiles();
        Slice copy = new Slice.Tiles(tiles);
        Feed slice = group.feed(i);
        for (int column = 0; column < tiles.length; column++) {
            Box part = columns.across(column).relativeTo(columns.region());
            slice.get(
                    part,
                    Elements.Fixed.in(columns.type(), Objects.requireNonNull(tiles[column])),
                    0,
                    Shapes.strides(part.shape()));
        }
        return copy;
    }

    /** Begins a layer with the next slice, up to the end of the inner chunks in which this slice lies. */
    private SliceLayer beginLayer() {
        long depth = columns.depth();
        long offset = (origin + accepted) % depth; // of the slice in its inner chunks
        boolean isAligned = offset == 0;
        SliceLayer layer = new SliceLayer(accepted, (int) (depth - offset), isAligned, columns.count());
        layers.addLast(layer);
        return layer;
    }

    /** Adds the size of a slice to {@link #tileBytes}. Waits until the budget has room for it. */
    private void reserveMemory() {
        if (reserveIfRoom()) {
            return;
        }
        long start = System.nanoTime();
        tell(() -> listener.onFull(state().backlog()));
        do {
            beginTurns();
            awaitTurn();
        } while (!hasRoomOrFails());
        long nanos = System.nanoTime() - start;
        synchronized (this) {
            waits++;
            waitNanos += nanos;
        }
        tell(() -> listener.onSpace(state().backlog(), nanos));
        synchronized (this) {
            tileBytes += plan.sliceBytes(); // calls are made one at a time, so the room is still there
        }
    }

    /** Notifies the listener. An exception of the listener is logged and ignored. */
    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            Failures.log(System.Logger.Level.DEBUG, "a listener failed", e);
        }
    }

    /** Adds the size of a slice to {@link #tileBytes} and returns true, if there is room for it. */
    private synchronized boolean reserveIfRoom() {
        boolean hasRoom = hasRoomOrFails();
        tileBytes += hasRoom ? plan.sliceBytes() : 0;
        return hasRoom;
    }

    /** Returns whether there is room for another slice. Throws the failure of a turn, if there is one. */
    private synchronized boolean hasRoomOrFails() {
        refuseFailed();
        return hasRoom();
    }

    /** Returns whether there is room for another slice. A slice alone always has room, also if it exceeds the limit. */
    private boolean hasRoom() {
        return layers.isEmpty() || tileBytes + encodedBytes + plan.sliceBytes() <= limit;
    }

    /**
     * Waits for the oldest turn. If all have ended and memory is still full, makes the slices of all closed layers due,
     * and runs turns on this thread.
     */
    private void awaitTurn() {
        Turn oldest;
        synchronized (this) {
            dropEnded();
            oldest = encodingTurns.isEmpty() ? storingTurns.peekFirst() : encodingTurns.peekFirst();
            if (oldest == null) {
                if (hasRoom()) {
                    return; // the last turn has ended since the caller looked, and has freed memory
                }
                due = Math.max(due, closedEnd());
            }
        }
        if (oldest == null || !oldest.await()) {
            encodingQueue.call(this::encodingTurn);
            if (!hasOneQueue()) {
                storingQueue.call(this::storingTurn);
            }
        }
    }

    private void dropEnded() {
        encodingTurns.removeIf(Turn::hasEnded);
        storingTurns.removeIf(Turn::hasEnded);
    }

    /** Returns the end of the last closed layer; {@link #committed} if there is none. */
    private long closedEnd() {
        long end = committed;
        for (SliceLayer layer : layers) {
            end = layer.isClosed() ? layer.end() : end;
        }
        return end;
    }

    /** Throws the failure of a turn, if there is one, and clears it. */
    private void refuseFailed() {
        Throwable thrown = failure;
        if (thrown == null) {
            return;
        }
        failure = null;
        if (thrown instanceof ZarrException && !(thrown instanceof UnknownOutcomeException)) {
            throw node.located(new StoreException(
                    "the slice is not taken, because earlier slices were not written: " + thrown.getMessage() + "; "
                            + committed + " slices are stored and " + (accepted - committed)
                            + " wait in memory: flush() or the next slice writes them again",
                    thrown));
        }
        throw Failures.rethrow(thrown);
    }

    /** Returns a tile for each column: a spare one, or a new one if there is none of its size. */
    private synchronized @Nullable ByteBuffer[] takeTiles() {
        @Nullable ByteBuffer[] tiles = new ByteBuffer[columns.count()];
        for (int column = 0; column < tiles.length; column++) {
            Deque<ByteBuffer> free = spareTiles.get(columns.tileBytes(column));
            if (free != null && !free.isEmpty()) {
                tiles[column] = free.pop();
                spareBytes -= columns.tileBytes(column);
            }
        }
        dropSpare();
        for (int column = 0; column < tiles.length; column++) {
            if (tiles[column] == null) {
                tiles[column] = tile(columns.tileBytes(column));
            }
        }
        return tiles;
    }

    /**
     * Returns a new tile. If shards are not staged, encoded inner chunks wait on the heap. Then tiles are on the heap
     * too, so that both can use the memory that the other gives up.
     */
    private ByteBuffer tile(int bytes) {
        return stages.isPresent()
                ? TileMemory.ofProcess().take(bytes)
                : ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Drops spare tiles that exceed the budget. */
    private void dropSpare() {
        Iterator<Deque<ByteBuffer>> kinds = spareTiles.values().iterator();
        while (spareBytes > 0 && tileBytes + encodedBytes + spareBytes > limit && kinds.hasNext()) {
            TileMemory.ofProcess().release(kinds.next());
            kinds.remove();
            spareBytes = 0;
            for (Map.Entry<Integer, Deque<ByteBuffer>> kind : spareTiles.entrySet()) {
                spareBytes += (long) kind.getKey() * kind.getValue().size();
            }
        }
    }

    /** Takes back the memory of a column of a layer. Keeps the tiles for reuse, unless memory has run out. */
    private void recycle(int column, SliceLayer.Freed freed) {
        tileBytes -= (long) columns.tileBytes(column) * freed.count();
        if (freed.tiles().isEmpty()) {
            return;
        }
        try {
            spareTiles
                    .computeIfAbsent(columns.tileBytes(column), size -> new LinkedList<>())
                    .addAll(freed.tiles());
            spareBytes += (long) columns.tileBytes(column) * freed.tiles().size();
            dropSpare();
        } catch (OutOfMemoryError e) { // without the spare tiles, later slices allocate theirs
            spareTiles.clear();
            spareBytes = 0;
        }
    }

    /** Ends a pause. Begins a turn for each group that is to be encoded, and one for slices that are to be stored. */
    private void beginTurns() {
        synchronized (this) {
            paused = false;
        }
        beginEncoding();
        beginStoring();
    }

    /** Returns whether one queue has both kinds of work, because shards are staged. */
    private boolean hasOneQueue() {
        return storingQueue == encodingQueue;
    }

    /** Returns whether a turn may begin; see the table at {@link #due}. */
    private boolean mayBeginTurn() {
        return failure == null && !paused && refusedEnd != closedEnd();
    }

    /** Begins as many encoding turns as the queue lacks. Turns that have begun do not count: they may miss new work. */
    private void beginEncoding() {
        long missing;
        synchronized (this) {
            dropEnded();
            int needed = mayBeginTurn() ? neededTurns() : 0;
            missing = needed - encodingTurns.stream().filter(Turn::isWaiting).count();
        }
        for (long i = 0; i < missing; i++) {
            if (!begin(encodingQueue, this::encodingTurn, encodingTurns)) {
                return;
            }
        }
    }

    /** Begins a storing turn if a batch is ready. With one queue, the encoding turns store, so none is needed. */
    private void beginStoring() {
        synchronized (this) {
            if (hasOneQueue()
                    || !mayBeginTurn()
                    || readyBatchEnd() < 0
                    || storingTurns.stream().anyMatch(Turn::isWaiting)) {
                return;
            }
        }
        begin(storingQueue, this::storingTurn, storingTurns);
    }

    /** Begins a turn and adds it to {@code begun}. Returns false if the stream is paused or the turn was refused. */
    private boolean begin(SerialCalls queue, Supplier<NoResult> work, Deque<Turn> begun) {
        Turn turn = new Turn();
        synchronized (this) {
            if (paused) {
                return false;
            }
            begun.addLast(turn);
        }
        boolean isStarted = false;
        try {
            turn.start(queue, work);
            isStarted = !Objects.requireNonNull(turn.end).isCompletedExceptionally();
            return isStarted;
        } finally {
            if (!isStarted) {
                synchronized (this) {
                    begun.remove(turn);
                    if (!turn.isCancelled) { // the executor takes no task: callers that wait do the work
                        refusedEnd = closedEnd();
                    }
                }
            }
        }
    }

    /** Returns how many turns the encoding queue needs: one for each group, and one to store if it stores too. */
    private int neededTurns() {
        int count = due > committed && hasOneQueue() ? 1 : 0;
        for (SliceLayer layer : layers) {
            if (layer.isClosed() && !layer.isProcessed()) {
                count += (columns.count() - layer.firstOpen() + groupSize - 1) / groupSize;
            }
        }
        return count;
    }

    /** Encodes the next group. With one queue, also stores the batches that are ready. */
    private NoResult encodingTurn() {
        attempt(() -> {
            encodeNext();
            if (hasOneQueue()) {
                commitDueUnlessPaused();
            }
        });
        beginEncoding(); // for layers that were closed meanwhile
        return NoResult.INSTANCE;
    }

    /** Stores the batches that are ready. */
    private NoResult storingTurn() {
        return attempt(this::commitDueUnlessPaused);
    }

    /** Does a piece of work. Throws nothing: a failure is kept for the next call of the stream. */
    private NoResult attempt(Runnable work) {
        synchronized (this) {
            if (failure != null || paused) {
                return NoResult.INSTANCE;
            }
        }
        try {
            work.run();
        } catch (CancellationException e) {
            throw e; // not kept as a failure: a later turn does the work
        } catch (Throwable e) {
            synchronized (this) {
                failure = paused ? null : e; // the call that paused the stream has failed itself, and says so
            }
        }
        return NoResult.INSTANCE;
    }

    /** Encodes the next group, if there is one. */
    private void encodeNext() {
        SliceLayer next = nextLayer();
        if (next != null) {
            encodeGroup(next);
            beginStoring();
        }
    }

    /**
     * Returns the layer that is encoded next; null if there is none, or if it lies behind a batch that is staged and
     * must be stored first: only one row of shards is staged at a time.
     */
    private synchronized @Nullable SliceLayer nextLayer() {
        for (SliceLayer layer : layers) {
            if (layer.isClosed() && !layer.isProcessed()) {
                boolean isBehindBatch = hasOneQueue() && due > committed && layer.first() >= nextBatchEnd();
                return isBehindBatch ? null : layer;
            }
        }
        return null;
    }

    /** Stores the slices that are due, batch by batch, as far as they are encoded. */
    private void commitDue() {
        dropCommitted();
        for (long end = readyBatchEnd(); end >= 0; end = readyBatchEnd()) {
            commit(end);
        }
    }

    /** Stores the slices that are due, as {@link #commitDue} does, but no further batch once the stream is paused. */
    private void commitDueUnlessPaused() {
        dropCommitted();
        for (long end = readyBatchEnd(); end >= 0 && !isPaused(); end = readyBatchEnd()) {
            commit(end);
        }
    }

    private synchronized boolean isPaused() {
        return paused;
    }

    /** Returns the end of the next batch; -1 if no slices are due, or if the batch is not encoded yet. */
    private synchronized long readyBatchEnd() {
        long end = nextBatchEnd();
        boolean isEncoded = layers.stream().allMatch(layer -> layer.first() >= end || layer.isProcessed());
        return isEncoded && end > committed ? end : -1;
    }

    /**
     * Returns the end of the next batch, which begins at {@link #committed}: the end of the row of shards, of the due
     * slices, or of the slices before a gap, whichever comes first. A gap is a batch by itself, over several rows.
     */
    private long nextBatchEnd() {
        long position = origin + committed;
        long shardEnd = committed + columns.shardDepth() - position % columns.shardDepth();
        long end = Math.min(due, shardEnd);
        for (SliceLayer layer : layers) {
            if (layer.isGap()) {
                return layer.first() == committed ? layer.end() : Math.min(end, layer.first());
            }
        }
        return end;
    }

    /**
     * Encodes the next group of a layer. After the last group, the layer is processed, and its slices become due if
     * they end a row of shards or memory is short. A layer that does not fill whole inner chunks, such as the first one
     * of a stream, is processed without encoding: its slices are stored as elements.
     */
    private void encodeGroup(SliceLayer layer) {
        long position;
        boolean isEncodable;
        synchronized (this) {
            position = origin + layer.first();
            isEncodable = layer.isWhole() && position % columns.depth() == 0;
        }
        if (isEncodable) {
            beginStagedShards(layer);
        }
        if (isEncodable && isDropped(layer)) {
            synchronized (this) {
                layer.setFill();
            }
        } else if (isEncodable) {
            int first = layer.firstOpen();
            int end = Math.min(columns.count(), first + groupSize);
            encodeAndKeep(layer, first, end, layerInShard(position));
            if (end < columns.count()) {
                return; // the next turn encodes another group
            }
        }
        synchronized (this) {
            layer.setProcessed();
            long endPosition = origin + layer.end();
            if (endPosition % columns.shardDepth() == 0 || !fitsAnotherLayer(layer)) {
                due = Math.max(due, layer.end());
            }
        }
    }

    /** Returns whether a layer has only skipped slices, and the policy stores no inner chunks of fill values. */
    private boolean isDropped(SliceLayer layer) {
        return layer.inMemory() == 0 && policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP;
    }

    /** Returns the index, in its shard, of the inner chunks at a position, along the dimension. */
    private long layerInShard(long position) {
        return position / columns.depth() % (columns.shardDepth() / columns.depth());
    }

    /** Returns whether another layer fits beside the slices from {@link #due} to the end of {@code last}. */
    private boolean fitsAnotherLayer(SliceLayer last) {
        long bytes = 0;
        for (SliceLayer layer : layers) {
            bytes += layer.first() >= due && layer.first() <= last.first() ? bytes(layer) : 0;
        }
        return bytes + Boxes.product(columns.depth(), plan.sliceBytes()) <= limit;
    }

    /** Returns the bytes of a layer in memory, encoded or not. */
    private long bytes(SliceLayer layer) {
        long bytes = 0;
        for (int column = 0; column < columns.count(); column++) {
            Encoded form = layer.encoded(column);
            if (form == null) {
                bytes += (long) columns.tileBytes(column) * layer.inMemory();
            } else if (form instanceof Encoded.InMemory memory) {
                bytes += memory.bytes().size();
            }
        }
        return bytes;
    }

    /**
     * Begins to stage the row of shards that begins with {@code layer}. A no-op if the store stages nothing, if another
     * row is staged, or if no row begins here. Shards that the slices do not cover completely are not staged.
     */
    private void beginStagedShards(SliceLayer layer) {
        long position;
        synchronized (this) {
            position = origin + layer.first();
        }
        if (stages.isEmpty() || stagedShards != null || position % columns.shardDepth() != 0) {
            return;
        }
        StagedShards begun = new StagedShards(columns, shard, layer.first(), position);
        stagedShards = begun;
        try {
            for (int column = 0; column < columns.count(); column++) {
                if (columns.coversShard(column)) {
                    long[] cell = columns.shardOf(column);
                    cell[plan.dimension()] = position / columns.shardDepth();
                    begun.begin(column, stages.get(), slicePosition.chunks().storedKey(cell));
                }
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Returns a failure of the store as an exception with the location of the array. */
    private RuntimeException failed(IOException e) {
        return Failures.rethrow(Failures.ofStore(e, node.location(), DataLocation.nowhere(), ""));
    }

    /**
     * Encodes columns {@code first} to {@code end} of a layer, several at once, and replaces their tiles by the encoded
     * inner chunks. The columns are replaced in their order: each as soon as it and the columns before it are encoded.
     *
     * @param index the index of the layer in its shard
     */
    private void encodeAndKeep(SliceLayer layer, int first, int end, long index) {
        try (OrderedResults<Optional<Bytes>> encoded =
                new OrderedResults<>((i, bytes) -> replaceTiles(layer, first + i, index, bytes))) {
            encode(layer, first, end, encoded::put);
        }
    }

    /** Replaces the tiles of a column by its encoded inner chunk, which is empty if the inner chunk is not stored. */
    private void replaceTiles(SliceLayer layer, int column, long index, Optional<Bytes> bytes) {
        Encoded form = stageOrKeep(column, index, bytes);
        SliceLayer.Freed freed;
        synchronized (this) {
            freed = layer.replace(column, form);
            if (form instanceof Encoded.InMemory memory) {
                encodedBytes += memory.bytes().size();
            }
            recycle(column, freed);
        }
        CallerSlices.SliceGroup.releaseEach(freed.released());
    }

    /** Stages an encoded inner chunk. Keeps it in memory if its shard is not staged, or is stored already. */
    private Encoded stageOrKeep(int column, long index, Optional<Bytes> bytes) {
        if (bytes.isEmpty()) {
            return Encoded.Fill.INSTANCE;
        }
        try {
            Optional<Encoded> staged =
                    stagedShards == null ? Optional.empty() : stagedShards.append(column, index, bytes.get());
            // encode() lets bytes for a staged shard share the tiles' memory. If the shard is stored already, the bytes
            // outlive the tiles, so they are copied.
            return staged.orElseGet(() -> new Encoded.InMemory(
                    stagedShards == null ? bytes.get() : bytes.get().copy()));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Encodes columns {@code first} to {@code end} of a layer, several at once. Passes each encoded inner chunk to
     * {@code result}, with 0 as the index of column {@code first}.
     */
    private void encode(SliceLayer layer, int first, int end, OrderedResults.Use<Optional<Bytes>> result) {
        node.session()
                .engine()
                .call(
                        () -> Plan.all(
                                end - first,
                                i -> Plan.defer(DataLocation.nowhere(), scratch -> {
                                    result.use((int) i, encode(layer, first + (int) i, scratch));
                                    return Plan.done(NoResult.INSTANCE);
                                })),
                        node.reading().quiet());
    }

    /** Encodes one inner chunk. Slices that are missing at its end are the fill value. */
    private Optional<Bytes> encode(SliceLayer layer, int column, Scratch scratch) {
        if (isDropped(layer)) {
            return Optional.empty();
        }
        ChunkCodec inner = shard.inner();
        ColumnFeed feed = new ColumnFeed(columns, layer, column);
        Box box = feed.box();
        if (!box.equals(inner.type().box())) {
            return inner.encode(new PaddedFeed(feed, box, columns.fill()), policy, scratch);
        }
        // A codec without compression returns the memory of a dense feed itself, here that of the tiles. Bytes that are
        // staged at once may share this memory. Bytes that are kept must not, so they are encoded from a window, which
        // is not dense: the codec copies its elements.
        boolean isStaged = stagedShards != null
                && stagedShards.shard(columns.shardOf(column)).isPresent();
        return inner.encode(isStaged ? feed : feed.window(box), policy, scratch);
    }

    /**
     * Stores a batch: the slices from {@link #committed} to {@code end}. Stores only the first of them if an earlier,
     * failed attempt has reserved positions for fewer slices.
     */
    private void commit(long end) {
        List<SliceLayer> batchLayers = new ArrayList<>();
        long first;
        long position;
        synchronized (this) {
            first = committed;
            position = origin + committed;
            for (SliceLayer layer : layers) {
                if (layer.first() < end) {
                    batchLayers.add(layer);
                }
            }
        }
        boolean isGap = batchLayers.get(0).isGap();
        StagedShards.@Nullable Mark mark = isGap ? null : stageIncompleteLayer(batchLayers, first, position);
        try {
            SlicePosition.Contents contents = isGap
                    ? new SlicePosition.Gap(end - first)
                    : new LayerContents(batchLayers, first, end, isStaged(batchLayers, first, mark));
            slicePosition.store(node, position, contents, batch -> recordCommitted(batch, position));
        } finally {
            recordStoredMetadata();
            if (committedCount() == first) { // no slice of the batch is stored
                unstageIncompleteLayer(mark);
            }
        }
        dropCommitted();
    }

    /** Records the metadata that the last batch has read; also after a failure, because it may have a new shape. */
    private synchronized void recordStoredMetadata() {
        storedMetadata = slicePosition.stored();
    }

    private synchronized long committedCount() {
        return committed;
    }

    /**
     * Returns whether the staged shards begin with slice {@code first} and have all inner chunks of a batch.
     *
     * @param mark from {@link #stageIncompleteLayer}; null if that has staged nothing
     */
    private boolean isStaged(List<SliceLayer> batchLayers, long first, StagedShards.@Nullable Mark mark) {
        StagedShards staged = stagedShards;
        if (staged == null || staged.first() != first) {
            return false;
        }
        // With a mark, the inner chunks of the last layer are staged, so this layer is not checked. The check would
        // fail, because the layer still has its tiles and no encoded form: the tiles are written as elements if the
        // batch is stored at another position than expected.
        int checkedCount = batchLayers.size() - (mark == null ? 0 : 1);
        return batchLayers.subList(0, checkedCount).stream().allMatch(staged::holds);
    }

    /**
     * Stages the inner chunks of the last layer of a batch, if this layer ends before its inner chunks do, as the last
     * layer of a flush. The rest of the inner chunks are fill values. The layer keeps its tiles. Returns a mark of the
     * staged shards without these inner chunks. Returns null, and stages nothing, if the last layer is of another kind,
     * or if the staged shards belong to another batch or another {@code position}.
     */
    private StagedShards.@Nullable Mark stageIncompleteLayer(List<SliceLayer> batchLayers, long first, long position) {
        SliceLayer last = batchLayers.get(batchLayers.size() - 1);
        if (stagedShards == null
                || stagedShards.first() != first
                || stagedShards.position() != position
                || !last.isBeginning()) {
            return null;
        }
        long index = layerInShard(position + last.first() - first);
        StagedShards.Mark mark = stagedShards.mark(index);
        boolean isDone = false;
        try {
            for (int column = 0; column < columns.count(); column += groupSize) {
                int end = Math.min(columns.count(), column + groupSize);
                encodeAndStage(last, column, end, index);
            }
            isDone = true;
            return mark;
        } finally {
            if (!isDone) {
                unstageIncompleteLayer(mark);
            }
        }
    }

    /** Encodes columns of a layer, and appends the inner chunks to the staged shards. The layer does not change. */
    private void encodeAndStage(SliceLayer layer, int first, int end, long index) {
        StagedShards staged = Objects.requireNonNull(stagedShards);
        try (OrderedResults<Optional<Bytes>> encoded = new OrderedResults<>((i, bytes) -> {
            try {
                if (bytes.isPresent()) {
                    staged.append(first + i, index, bytes.get());
                }
            } catch (IOException e) {
                throw failed(e);
            }
        })) {
            encode(layer, first, end, encoded::put);
        }
    }

    /** Removes the inner chunks that {@link #stageIncompleteLayer} has staged. The next attempt stages them again. */
    private void unstageIncompleteLayer(StagedShards.@Nullable Mark mark) {
        if (stagedShards == null || mark == null) {
            return;
        }
        try {
            stagedShards.restore(mark);
        } catch (IOException e) {
            Failures.log(System.Logger.Level.WARNING, "staged bytes could not be removed", e);
        }
    }

    /**
     * Counts a batch as stored. If other writers have moved it from its expected position, the later slices move too.
     * Allocates nothing, so it cannot fail.
     */
    private synchronized void recordCommitted(Batch batch, long expected) {
        committed += batch.count();
        if (batch.position() != expected) {
            origin += batch.position() - expected;
            closeLast(); // at the new position, inner chunks begin and end at other slices
        }
    }

    /**
     * Frees the memory of layers that are stored. If memory runs out here, the remaining ones stay at the beginning of
     * {@link #layers}, and the next storing turn frees them first.
     */
    private void dropCommitted() {
        for (SliceLayer layer = committedLayer(); layer != null; layer = committedLayer()) {
            for (int column = 0; column < columns.count() && !layer.isGap(); column++) {
                SliceLayer.Freed freed;
                synchronized (this) {
                    freed = layer.free(column);
                    encodedBytes -= layer.dropEncoded(column);
                    recycle(column, freed);
                }
                CallerSlices.SliceGroup.releaseEach(freed.released());
            }
            synchronized (this) {
                layers.removeFirst();
            }
        }
        closeStoredShards();
    }

    /** Closes staged shards that are stored, unless slices behind the stored ones are staged there too. */
    private void closeStoredShards() {
        StagedShards open = stagedShards;
        synchronized (this) {
            if (open == null || open.first() >= committed || layers.stream().anyMatch(SliceLayer::isStaged)) {
                return;
            }
        }
        stagedShards = null;
        try {
            open.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Returns the first layer if all its slices are stored and it takes no further slices; null otherwise. */
    private synchronized @Nullable SliceLayer committedLayer() {
        SliceLayer first = layers.peekFirst();
        return first != null && first.end() <= committed && first.isClosed() ? first : null;
    }

    /** The slices of a batch that is no gap. */
    private final class LayerContents implements SlicePosition.Contents {
        private final List<SliceLayer> batchLayers;
        private final long first;
        private final long end;
        /** Whether {@link #stagedShards} have all inner chunks of the batch. */
        private final boolean isStaged;

        LayerContents(List<SliceLayer> batchLayers, long first, long end, boolean isStaged) {
            this.batchLayers = batchLayers;
            this.first = first;
            this.end = end;
            this.isStaged = isStaged;
        }

        @Override
        public long count() {
            return end - first;
        }

        @Override
        public void write(RegionWrites writes, ChunkPlans chunks, ArrayMetadata metadata, Batch batch, Box batchBox) {
            StagedShards usable = canPublishStaged(batch, metadata) ? stagedShards : null;
            ChunkCodec inner = chunks.firstCodec().shardAccess().orElseThrow().inner();
            writes.write(batchBox, new LayersFeed(columns, batchLayers, first, inner, usable));
        }

        /**
         * Returns whether the staged shards can be stored as they are: they are staged for this position, the batch has
         * all their slices, and in the dimensions of a slice the array still has the shape for which they were encoded.
         */
        private boolean canPublishStaged(Batch batch, ArrayMetadata metadata) {
            return isStaged
                    && stagedShards != null
                    && stagedShards.position() == batch.position()
                    && batch.count() == count()
                    && columns.hasSameCrossSection(metadata.shape());
        }
    }

    @Override
    public void beginFlush() {
        closeLayers();
        beginTurns();
    }

    private synchronized void closeLayers() {
        closeLast();
        due = accepted;
    }

    @Override
    public void flush() {
        closeLayers();
        do {
            encodingQueue.call(() -> flush(() -> {
                while (nextLayer() != null) {
                    encodeNext();
                }
                if (hasOneQueue()) {
                    commitDue();
                }
            }));
            if (!hasOneQueue()) {
                storingQueue.call(() -> flush(this::commitDue));
            }
        } while (hasWork());
    }

    /**
     * Does the work of a flush in place of turns that have failed. If the flush fails too, its caller receives the
     * failure. So turns that are still queued must not report it once more: they do nothing until the next slice.
     */
    private NoResult flush(Runnable work) {
        synchronized (this) {
            failure = null;
        }
        boolean isDone = false;
        try {
            work.run();
            isDone = true;
            return NoResult.INSTANCE;
        } finally {
            if (!isDone) {
                synchronized (this) {
                    paused = true;
                }
            }
        }
    }

    @Override
    public void pause() {
        List<Turn> stopped;
        synchronized (this) {
            paused = true;
            stopped = new ArrayList<>(encodingTurns);
            stopped.addAll(storingTurns);
            encodingTurns.clear();
            storingTurns.clear();
        }
        stopped.forEach(Turn::cancel);
    }

    /** Returns whether slices are due. */
    private synchronized boolean hasWork() {
        return due > committed;
    }

    @Override
    public void close() {
        encodingQueue.call(() -> {
            StagedShards open = stagedShards;
            stagedShards = null;
            try {
                if (open != null) {
                    open.close();
                }
            } catch (IOException e) {
                throw failed(e);
            }
            return NoResult.INSTANCE;
        });
        synchronized (this) {
            spareTiles.values().forEach(TileMemory.ofProcess()::release);
            spareTiles.clear();
            spareBytes = 0;
        }
    }
}
