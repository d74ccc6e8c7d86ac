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
 * Encodes and writes slices while the caller goes on. A slice is copied into tiles, one for each inner chunk that it
 * crosses. When a layer of inner chunks is complete, its inner chunks are encoded, a group at a time, and their tiles
 * are reused for later slices. The encoded inner chunks go to the store if it can stage objects, otherwise they wait in
 * memory. A complete shard is stored as one change, as any write.
 *
 * <p><b>Turns.</b> Groups are encoded and shards are stored in turns of queues of calls ({@link SerialCalls}). A thread
 * that waits for a turn takes it itself if no other thread has begun it. Staged shards have one queue for both. Shards
 * that are not staged, such as those of buckets, are stored in a queue of their own, so the next shard is encoded while
 * one is sent. Only the turns that store use the position in the array; only one queue uses the staged shards. The
 * layers are guarded by the monitor of this object; a closed layer changes only in turns, and a layer that is being
 * stored does not change.
 *
 * <p><b>Memory.</b> Tiles, encoded inner chunks and a group that is being encoded never exceed the budget: a slice
 * waits until it fits. If the layers that are encoded in memory leave no room for another layer, they are stored before
 * their shard is complete. Layers that are stored already, or soon, do not count for that.
 *
 * <p><b>Other writers.</b> Inner chunks are encoded for the expected position in the array. If other streams extend the
 * array first, the slices get another position when they are stored: encoded inner chunks are decoded again, and
 * written as elements.
 *
 * <p><b>Failures.</b> A turn that fails leaves its work undone and ends the background work. The next slice is refused
 * with the failure, and the slice after it begins the work again; so does a flush.
 */
public final class SlicePipeline implements PendingSlices {
    private final StoredNode node;
    private final SlicePosition slicePosition;
    private final SlicePlan plan;
    private final SliceColumns columns;
    private final ShardAccess shard;
    private final Optional<StagedPuts> stages;
    private final ShardWritePolicy policy;
    /** The queue of turns that encode. */
    private final SerialCalls encodingQueue;
    /** The queue of turns that store; the same one if shards are staged. */
    private final SerialCalls storingQueue;

    private final SliceListener listener;
    /** The bytes of tiles and encoded inner chunks that may be in memory, without a group that is being encoded. */
    private final long limit;
    /** The number of inner chunks that are encoded in one turn. */
    private final int groupSize;

    /** Linked, because an ArrayDeque that cannot grow for lack of memory loses its elements: accepted slices. */
    private final Deque<SliceLayer> layers = new LinkedList<>();
    /** The turns that encode and have not ended. */
    private final Deque<Turn> encodingTurns = new LinkedList<>();
    /** The turns that store and have not ended, if they have a queue of their own. */
    private final Deque<Turn> storingTurns = new LinkedList<>();
    /** Tiles for reuse, by their number of bytes. */
    private final Map<Integer, Deque<ByteBuffer>> spare = new HashMap<>();

    private long tileBytes;
    private long spareBytes;
    private long encodedBytes;
    /**
     * The position in the array of slice 0 of the stream, as seen from the slices that are not stored yet: slice n of
     * the stream goes to {@code origin + n}. Grows when other streams extend the array first.
     */
    private long origin;

    /** The number of slices that the stream has accepted. */
    private long accepted;
    /** The number of slices that are stored; so also the first one that is not. */
    private long committed;
    /** The slices before this one are to be committed as soon as they are encoded. */
    private long due;

    private long waits;
    private long waitNanos;
    private ArrayMetadata storedMetadata;
    /** The end of the last closed layer when the executor refused a turn; -1 before. */
    private long refusedEnd = -1;

    private @Nullable Throwable failure;
    /** Whether turns do nothing, because a call that was to store the slices has failed and said so. */
    private boolean paused;

    /** The staged shards; used in turns only. */
    private @Nullable StagedShards stagedShards;

    /**
     * A turn in the background. A turn that has begun may miss work that is added meanwhile. It is registered before it
     * is started, so a pause finds it.
     */
    private static final class Turn {
        private volatile boolean hasBegun;
        /** Null while the turn is started. */
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

        boolean isWaiting() {
            return !hasBegun && !hasEnded();
        }

        /** Waits for the end. Returns whether the turn was made; if it is being started, it is not waited for. */
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
        awaitRoom();
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
            long whole;
            synchronized (this) {
                refuseFailed();
                whole = SlicePosition.wholeShards(origin + accepted, left, columns.shardDepth());
                if (whole > 0) {
                    closeLast();
                    layers.addLast(SliceLayer.gap(accepted, whole));
                    accepted += whole;
                    due = accepted;
                }
            }
            if (whole > 0) {
                beginTurns();
            } else {
                append(Slice.Fill.INSTANCE);
                beginTurns();
            }
            left -= Math.max(1, whole);
        }
    }

    private void closeLast() {
        if (!layers.isEmpty()) {
            layers.peekLast().close();
        }
    }

    private synchronized void append(Slice slice) {
        SliceLayer last = layers.peekLast();
        SliceLayer layer = last == null || last.isClosed() ? beginLayer() : last;
        layer.add(slice);
        accepted++;
    }

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

    private SliceLayer beginLayer() {
        long depth = columns.depth();
        long inLayer = (origin + accepted) % depth;
        SliceLayer layer = new SliceLayer(accepted, (int) (depth - inLayer), inLayer == 0, columns.count());
        layers.addLast(layer);
        return layer;
    }

    /** Counts the memory of a slice, when there is room for it. */
    private void awaitRoom() {
        if (tryToCount()) {
            return;
        }
        long start = System.nanoTime();
        tell(() -> listener.onFull(state().backlog()));
        do {
            beginTurns();
            awaitTurn();
        } while (!hasRoomNow());
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

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            Failures.log(System.Logger.Level.DEBUG, "a listener failed", e);
        }
    }

    /** Counts the memory of a slice and returns true if there is room for it. */
    private synchronized boolean tryToCount() {
        boolean hasRoom = hasRoomNow();
        tileBytes += hasRoom ? plan.sliceBytes() : 0;
        return hasRoom;
    }

    private synchronized boolean hasRoomNow() {
        refuseFailed();
        return hasRoom();
    }

    private boolean hasRoom() {
        return layers.isEmpty() || tileBytes + encodedBytes + plan.sliceBytes() <= limit;
    }

    /** Waits for the oldest turn. If all have ended, makes a turn for the slices of closed layers. */
    private void awaitTurn() {
        Turn oldest;
        synchronized (this) {
            dropEnded();
            oldest = encodingTurns.isEmpty() ? storingTurns.peekFirst() : encodingTurns.peekFirst();
            if (oldest == null) {
                if (hasRoom()) {
                    return; // the last turn has ended since
                }
                due = Math.max(due, closedEnd());
            }
        }
        if (oldest == null || !oldest.await()) {
            encodingQueue.call(this::turn);
            if (storingQueue != encodingQueue) {
                storingQueue.call(this::storeTurn);
            }
        }
    }

    private void dropEnded() {
        encodingTurns.removeIf(Turn::hasEnded);
        storingTurns.removeIf(Turn::hasEnded);
    }

    private long closedEnd() {
        long end = committed;
        for (SliceLayer layer : layers) {
            end = layer.isClosed() ? layer.end() : end;
        }
        return end;
    }

    /** Throws the failure of a turn, once. */
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

    private synchronized @Nullable ByteBuffer[] takeTiles() {
        @Nullable ByteBuffer[] tiles = new ByteBuffer[columns.count()];
        for (int column = 0; column < tiles.length; column++) {
            Deque<ByteBuffer> free = spare.get(columns.tileBytes(column));
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
     * Returns a new tile. Streams that stage nothing have it on the heap, where their encoded inner chunks are: what
     * one gives up, the other can use.
     */
    private ByteBuffer tile(int bytes) {
        return stages.isPresent()
                ? TileMemory.ofProcess().take(bytes)
                : ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Drops spare tiles that exceed the budget. */
    private void dropSpare() {
        Iterator<Deque<ByteBuffer>> kinds = spare.values().iterator();
        while (spareBytes > 0 && tileBytes + encodedBytes + spareBytes > limit && kinds.hasNext()) {
            TileMemory.ofProcess().release(kinds.next());
            kinds.remove();
            spareBytes = 0;
            for (Map.Entry<Integer, Deque<ByteBuffer>> kind : spare.entrySet()) {
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
            spare.computeIfAbsent(columns.tileBytes(column), size -> new LinkedList<>())
                    .addAll(freed.tiles());
            spareBytes += (long) columns.tileBytes(column) * freed.tiles().size();
            dropSpare();
        } catch (OutOfMemoryError e) { // without the spare tiles, later slices allocate theirs
            spare.clear();
            spareBytes = 0;
        }
    }

    /** Begins a turn for each group of inner chunks that is to be encoded, and for slices that are to be stored. */
    private void beginTurns() {
        synchronized (this) {
            paused = false;
        }
        beginEncoding();
        beginStoring();
    }

    private void beginEncoding() {
        long missing;
        synchronized (this) {
            dropEnded();
            boolean mayBegin = failure == null && !paused && refusedEnd != closedEnd();
            missing = (mayBegin ? openTurns() : 0)
                    - encodingTurns.stream().filter(Turn::isWaiting).count();
        }
        for (long i = 0; i < missing; i++) {
            if (!begin(encodingQueue, this::turn, encodingTurns)) {
                return;
            }
        }
    }

    /** Begins a turn that stores slices, if they are encoded and it is not one of the turns that encode. */
    private void beginStoring() {
        synchronized (this) {
            boolean mayBegin = failure == null && !paused && refusedEnd != closedEnd();
            if (storingQueue == encodingQueue
                    || !mayBegin
                    || encodedEnd() < 0
                    || storingTurns.stream().anyMatch(Turn::isWaiting)) {
                return;
            }
        }
        begin(storingQueue, this::storeTurn, storingTurns);
    }

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
            if (!isStarted) { // the executor takes no task: whoever waits makes the turns
                synchronized (this) {
                    begun.remove(turn);
                    refusedEnd = turn.isCancelled ? refusedEnd : closedEnd();
                }
            }
        }
    }

    /** Returns how many turns the encoding queue needs: one for each group, and one to store if it stores too. */
    private int openTurns() {
        int count = due > committed && storingQueue == encodingQueue ? 1 : 0;
        for (SliceLayer layer : layers) {
            if (layer.isClosed() && !layer.isProcessed()) {
                count += (columns.count() - layer.firstOpen() + groupSize - 1) / groupSize;
            }
        }
        return count;
    }

    /** Does the next piece of work. */
    private NoResult turn() {
        attempt(() -> {
            encodeNext();
            if (storingQueue == encodingQueue) {
                commitDueUnlessPaused();
            }
        });
        beginEncoding(); // of layers that were closed meanwhile
        return NoResult.INSTANCE;
    }

    /** Stores the slices that are due. */
    private NoResult storeTurn() {
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
            throw e; // the work is still there
        } catch (Throwable e) {
            synchronized (this) {
                failure = paused ? null : e;
            }
        }
        return NoResult.INSTANCE;
    }

    private void encodeNext() {
        SliceLayer next = nextLayer();
        if (next != null) {
            process(next);
            beginStoring();
        }
    }

    /**
     * Returns the layer that is encoded next; null if there is none, or if staged slices before it are stored first:
     * only one row of shards is staged at a time.
     */
    private synchronized @Nullable SliceLayer nextLayer() {
        for (SliceLayer layer : layers) {
            if (layer.isClosed() && !layer.isProcessed()) {
                return storingQueue == encodingQueue && due > committed && layer.first() >= nextEnd() ? null : layer;
            }
        }
        return null;
    }

    /** Stores the slices that are due, a shard at a time, as far as they are encoded. */
    private void commitDue() {
        dropCommitted();
        for (long end = encodedEnd(); end >= 0; end = encodedEnd()) {
            commit(end);
        }
    }

    /** Does as {@link #commitDue}, until the stream is paused. */
    private void commitDueUnlessPaused() {
        dropCommitted();
        for (long end = encodedEnd(); end >= 0 && !isPaused(); end = encodedEnd()) {
            commit(end);
        }
    }

    private synchronized boolean isPaused() {
        return paused;
    }

    /** Returns the end of the slices that are stored next; -1 if there are none, or if they are not encoded yet. */
    private synchronized long encodedEnd() {
        long end = nextEnd();
        boolean isEncoded = layers.stream().allMatch(layer -> layer.first() >= end || layer.isProcessed());
        return isEncoded && end > committed ? end : -1;
    }

    /**
     * Returns the end of the slices that are stored next: that of their shard, of the slices that are due, or of the
     * slices before a gap. A gap is stored at once, over several shards.
     */
    private long nextEnd() {
        long position = origin + committed;
        long end = Math.min(due, committed + columns.shardDepth() - position % columns.shardDepth());
        for (SliceLayer layer : layers) {
            if (layer.isGap()) {
                return layer.first() == committed ? layer.end() : Math.min(end, layer.first());
            }
        }
        return end;
    }

    /**
     * Encodes a group of inner chunks of a layer. A layer that does not cover whole inner chunks, such as the first one
     * of a stream, is not encoded here: its slices are written as elements.
     */
    private void process(SliceLayer layer) {
        long indexInArray;
        boolean encodes;
        synchronized (this) {
            indexInArray = (origin + layer.first()) / columns.depth();
            encodes = layer.isWhole() && (origin + layer.first()) % columns.depth() == 0;
        }
        if (encodes) {
            beginSlab(layer);
        }
        if (encodes && layer.inMemory() == 0 && policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP) {
            synchronized (this) {
                layer.setFill();
            }
        } else if (encodes) {
            int first = layer.firstOpen();
            int end = Math.min(columns.count(), first + groupSize);
            encode(layer, first, end, indexInArray % (columns.shardDepth() / columns.depth()));
            if (end < columns.count()) {
                return;
            }
        }
        synchronized (this) {
            layer.setProcessed();
            long position = origin + layer.end();
            if (position % columns.shardDepth() == 0 || !fitsAnotherLayer(layer)) {
                due = Math.max(due, layer.end());
            }
        }
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

    /** Begins to stage the shards that begin with {@code layer}. */
    private void beginSlab(SliceLayer layer) {
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

    private RuntimeException failed(IOException e) {
        return Failures.rethrow(Failures.ofStore(e, node.location(), DataLocation.nowhere(), ""));
    }

    /**
     * Encodes the inner chunks of columns, side by side, and keeps them instead of their tiles: in their order, each as
     * soon as those before it are kept, while others are encoded.
     *
     * @param index the index of the layer in its shard
     */
    private void encode(SliceLayer layer, int first, int end, long index) {
        try (OrderedResults<Optional<Bytes>> encoded =
                new OrderedResults<>((i, bytes) -> keep(layer, first + i, index, bytes))) {
            encode(layer, first, end, encoded::put);
        }
    }

    private void keep(SliceLayer layer, int column, long index, Optional<Bytes> bytes) {
        Encoded form = kept(column, index, bytes);
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

    /** Stages an encoded inner chunk, or keeps it in memory if its shard is not staged. */
    private Encoded kept(int column, long index, Optional<Bytes> bytes) {
        if (bytes.isEmpty()) {
            return Encoded.Fill.INSTANCE;
        }
        try {
            Optional<Encoded> staged =
                    stagedShards == null ? Optional.empty() : stagedShards.append(column, index, bytes.get());
            // A copy, because the bytes may be the tiles' memory if the shard was staged, but is stored already.
            return staged.orElseGet(() -> new Encoded.InMemory(
                    stagedShards == null ? bytes.get() : bytes.get().copy()));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Passes the encoded inner chunks of columns to {@code result}, by their index from {@code first} on. */
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
        if (layer.inMemory() == 0 && policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP) {
            return Optional.empty();
        }
        ChunkCodec inner = shard.inner();
        ColumnFeed feed = new ColumnFeed(columns, layer, column);
        Box box = feed.box();
        if (!box.equals(inner.type().box())) {
            return inner.encode(new PaddedFeed(feed, box, columns.fill()), policy, scratch);
        }
        // An uncompressed codec returns the memory of a dense feed itself. Bytes that are staged at once may be the
        // tiles' memory. Bytes that are kept must not: a window is not dense, so the codec copies its elements.
        boolean isStaged = stagedShards != null
                && stagedShards.shard(columns.shardOf(column)).isPresent();
        return inner.encode(isStaged ? feed : feed.window(box), policy, scratch);
    }

    /** Stores the slices up to {@code end}, or the first of them. */
    private void commit(long end) {
        List<SliceLayer> parts = new ArrayList<>();
        long first;
        long position;
        synchronized (this) {
            first = committed;
            position = origin + committed;
            for (SliceLayer layer : layers) {
                if (layer.first() < end) {
                    parts.add(layer);
                }
            }
        }
        boolean isGap = parts.get(0).isGap();
        StagedShards.@Nullable Mark mark = isGap ? null : stageRest(parts, first, position);
        try {
            // With a mark, the last layer is incomplete: stageRest has appended its inner chunks, but the layer itself
            // keeps its tiles, for slices that follow.
            boolean isStaged = !isGap && isStaged(mark == null ? parts : parts.subList(0, parts.size() - 1), first);
            SlicePosition.Contents contents =
                    isGap ? new SlicePosition.Gap(end - first) : new Parts(parts, first, end, isStaged);
            slicePosition.store(node, position, contents, batch -> recordCommitted(batch, position));
        } finally {
            if (recordStored() == first) {
                afterFailure(mark);
            }
        }
        dropCommitted();
    }

    /** Records the stored metadata, also of a batch that failed: it may have seen another shape. */
    private synchronized long recordStored() {
        storedMetadata = slicePosition.stored();
        return committed;
    }

    /** Returns whether the staged shards begin with slice {@code first} and have all inner chunks of these layers. */
    private boolean isStaged(List<SliceLayer> parts, long first) {
        StagedShards staged = stagedShards;
        return staged != null && staged.first() == first && parts.stream().allMatch(staged::holds);
    }

    /**
     * Appends the inner chunks of a last, incomplete layer to the staged shards. Returns the state before; null if
     * there is no such layer, or if the staged shards do not begin at {@code position}.
     */
    private StagedShards.@Nullable Mark stageRest(List<SliceLayer> parts, long first, long position) {
        SliceLayer last = parts.get(parts.size() - 1);
        if (stagedShards == null
                || stagedShards.first() != first
                || stagedShards.position() != position
                || !last.isBeginning()) {
            return null;
        }
        long index = (position + last.first() - first) / columns.depth() % (columns.shardDepth() / columns.depth());
        StagedShards.Mark mark = stagedShards.mark(index);
        boolean isDone = false;
        try {
            for (int column = 0; column < columns.count(); column += groupSize) {
                int end = Math.min(columns.count(), column + groupSize);
                append(last, column, end, index);
            }
            isDone = true;
            return mark;
        } finally {
            if (!isDone) {
                afterFailure(mark);
            }
        }
    }

    private void append(SliceLayer layer, int first, int end, long index) {
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

    /** Removes the inner chunks that {@link #stageRest} has appended. The next call appends them again. */
    private void afterFailure(StagedShards.@Nullable Mark mark) {
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
     * Counts a batch as stored, and learns whether other writers have moved it. Allocates nothing, so it cannot fail.
     */
    private synchronized void recordCommitted(Batch batch, long expected) {
        committed += batch.count();
        if (batch.position() != expected) {
            origin += batch.position() - expected;
            closeLast(); // the next slice begins another inner chunk
        }
    }

    /**
     * Frees the memory of slices that are stored. If memory runs out, the next turn that stores frees the rest first:
     * until then, {@link #layers} begins with stored slices.
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

    private synchronized @Nullable SliceLayer committedLayer() {
        SliceLayer first = layers.peekFirst();
        return first != null && first.end() <= committed && first.isClosed() ? first : null;
    }

    /** The slices of a batch. */
    private final class Parts implements SlicePosition.Contents {
        private final List<SliceLayer> layersOfBatch;
        private final long first;
        private final long end;
        private final boolean isStaged;

        Parts(List<SliceLayer> layersOfBatch, long first, long end, boolean isStaged) {
            this.layersOfBatch = layersOfBatch;
            this.first = first;
            this.end = end;
            this.isStaged = isStaged;
        }

        @Override
        public long count() {
            return end - first;
        }

        @Override
        public void write(RegionWrites writes, ChunkPlans chunks, ArrayMetadata metadata, Batch batch, Box slabBox) {
            boolean isAsStaged = isStaged
                    && stagedShards != null
                    && stagedShards.position() == batch.position()
                    && batch.count() == count()
                    && columns.hasEdges(metadata.shape());
            ChunkCodec inner = chunks.firstCodec().shardAccess().orElseThrow().inner();
            writes.write(
                    slabBox, new LayersFeed(columns, layersOfBatch, first, inner, isAsStaged ? stagedShards : null));
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
                if (storingQueue == encodingQueue) {
                    commitDue();
                }
            }));
            if (storingQueue != encodingQueue) {
                storingQueue.call(() -> flush(this::commitDue));
            }
        } while (hasWork());
    }

    /**
     * Does the work of a flush in place of turns that have failed. If it fails too, the caller learns it, and turns
     * that were queued before must not fail once more: they do nothing until the next slice.
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
        List<Turn> ended;
        synchronized (this) {
            paused = true;
            ended = new ArrayList<>(encodingTurns);
            ended.addAll(storingTurns);
            encodingTurns.clear();
            storingTurns.clear();
        }
        ended.forEach(Turn::cancel);
    }

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
            spare.values().forEach(TileMemory.ofProcess()::release);
            spare.clear();
            spareBytes = 0;
        }
    }
}
