package dev.shardkit;

import dev.shardkit.engine.threads.SerialCalls;
import dev.shardkit.region.stream.CallerSlices;
import dev.shardkit.region.stream.PendingSlices;
import dev.shardkit.region.stream.SliceFailure;
import dev.shardkit.region.stream.SlicePlan;
import dev.shardkit.region.stream.SlicePosition;
import dev.shardkit.region.stream.TiledSlice;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.slices.SliceBacklog;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.plan.NoResult;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes slices along one dimension as they arrive, in bounded memory (ZEP 2, "Storing a stream of data slices").
 * {@link SliceStrategy} says how.
 *
 * <p>Slices wait in memory until an inner chunk is complete, or until a shard is complete if the strategy is
 * {@link SliceStrategy#BUFFERED}. Then {@link #write} writes them before it returns. With
 * {@link SliceStrategy#PIPELINED}, a pipeline encodes and writes them in the background, and {@code write} waits only
 * while the budget is used up ({@link #backlog}). When {@link #flush} or {@link #close} returns, all slices are
 * committed. So are all slices before {@link #committed}; a crash loses at most the slices from there on.
 *
 * <p>After a failure, the slices still wait, and {@link #flush} can be repeated. If the background work fails, the next
 * slice is refused with this failure, and the slice after it begins the work again. A flush repeats the work itself. If
 * the response to a growth of the array was lost, and the store does not know whether the array grew, the failure is an
 * {@link dev.shardkit.spi.error.UnknownOutcomeException}: read the array's shape before you repeat the call.
 *
 * <p>Slices have the order of the calls, blocking and asynchronous. If a {@link #writeAsync} fails, no later slice
 * takes its place: all later slices are refused. The next {@link #flush} or {@link #close} writes the slices before the
 * gap and then fails, once. After such a flush, the writer accepts slices again; after such a close, it is closed. A
 * call that is cancelled before its turn, or that the executor rejects, has the same effect on calls behind it.
 *
 * <p>Several writers may extend one array at once ({@link SliceOptions.Growth#GROW} without a region): in several
 * threads, in several processes, with handles of any age. Each batch is appended at the end that is stored at that
 * moment, so no slice is lost and readers see no slice before it is stored. The slices of one writer keep their order;
 * slices of other writers may lie between its batches. Writers of fixed regions need disjoint regions.
 *
 * <p>Thread-safe: calls run one at a time, and any thread, including a listener, may query the state meanwhile. A
 * listener must not wait for the stream that it listens to. In a listener, {@link #write}, {@link #flush} and
 * {@link #close} throw {@link IllegalStateException}; {@link #writeAsync} and {@link #flushAsync} are accepted and run
 * after the current call. Code that depends on a future of the stream may make any call, and wait for it.
 */
public final class SliceWriter implements AutoCloseable {
    /** The node with the options of the array, for {@link #array}. Closing that array does nothing. */
    private final StoredNode arrayNode;

    /** The node with the options of the writes, which depend on the strategy. */
    private final StoredNode node;

    private final SlicePosition slicePosition;
    private final SlicePlan plan;
    private final CallerSlices slices;
    private final PendingSlices pending;
    private final SerialCalls calls;
    /**
     * The number of the last call. Calls are numbered in their order: a failure refuses all calls that began before it
     * was reported.
     */
    private final AtomicLong lastCall = new AtomicLong();

    /** The last failure of an asynchronous write, which refuses the calls behind it; null if there was none. */
    private final AtomicReference<@Nullable SliceFailure> failure = new AtomicReference<>();

    /** Whether the length of the array is fixed. */
    private final boolean fixed;

    private final SliceOptions options;
    private final long[] sliceShape;
    /** The next slice, if tiles of it have come. Used in calls only. */
    private @Nullable TiledSlice assembly;

    private boolean closed;
    /** Whether the last call was a close that failed. Until the next call, nothing is stored in the background. */
    private volatile boolean closeFailed;
    /** The number of slices that were accepted since the last flush began. */
    private long unflushed;
    /** Counts the flushes and their timers. A timer is stale if the count has changed since it was set. */
    private long flushTimer;

    SliceWriter(StoredNode node, SlicePosition slicePosition, int dimension, SliceOptions options) {
        this.arrayNode = node.in(node.session().with(node.session().options()));
        this.slicePosition = slicePosition;
        this.options = options;
        this.fixed = options.growth() == SliceOptions.Growth.FIXED;
        this.sliceShape = slicePosition.slice(0).shape();
        this.slices = new CallerSlices(slicePosition.stored().dataType(), sliceShape, dimension);
        this.plan = SlicePlan.of(
                node,
                slicePosition.chunks(),
                slicePosition.slice(slicePosition.region().origin(dimension)),
                dimension,
                options.strategy(),
                options.budgetBytes());
        this.calls = node.session().serialCalls();
        this.node = node.in(node.session()
                .with(plan.options(node.session().options())
                        .with(calls.listener(node.session().options().listener()))));
        slicePosition.check(node);
        this.pending = plan.begin(this.node, slicePosition, slices, options.listener());
    }

    /** Returns the array with the shape that this writer saw last. */
    public ZarrArray array() {
        return new ZarrArray(arrayNode, pending.state().stored());
    }

    /** Returns the strategy in use; never {@link SliceStrategy#AUTO}. */
    public SliceStrategy strategy() {
        return plan.strategy();
    }

    /**
     * Returns the index of the next slice in the dimension, provided that all accepted slices are stored and that no
     * other writer extends the array before.
     */
    public long position() {
        return pending.state().position();
    }

    /**
     * Returns the index before which all slices are committed, including those of other writers. If this writer
     * appends, this is the end of its last batch.
     */
    public long committed() {
        return pending.state().committed();
    }

    /** Returns how many slices of this writer are committed. They are the first that it accepted. */
    public long committedCount() {
        return pending.state().committedCount();
    }

    /** Returns the slices that are accepted but not stored, and how long slices had to wait so far. */
    public SliceBacklog backlog() {
        return pending.state().backlog();
    }

    /**
     * Accepts the next slice, or several, and copies them. The shape is that of the region with length 1 in the
     * dimension, or without the dimension. For several slices, the length in the dimension is their number.
     *
     * @throws IllegalArgumentException if the shape or the data type is another; then no slice is accepted
     * @throws IndexOutOfBoundsException if the slices do not fit into an array of fixed length; then no slice is
     *     accepted
     */
    public void write(NdArray slice) {
        writeBlocking(() -> group(slice));
    }

    private CallerSlices.SliceGroup group(NdArray slice) {
        return slices.of(slice.shape(), slice.ofType(slices.type()).array());
    }

    /**
     * Accepts the next slice, or several consecutive ones, from a Java array of the data type's carrier, in C order,
     * from index {@code offset} to its end.
     *
     * @throws IllegalArgumentException if these are not whole slices; then no slice is accepted
     * @throws IndexOutOfBoundsException if the slices do not fit into an array of fixed length; then no slice is
     *     accepted
     */
    public void write(Object array, int offset) {
        writeBlocking(() -> slices.of(array, offset));
    }

    /**
     * Accepts the next {@code count} consecutive slices from a Java array of the data type's carrier, in C order, from
     * index {@code offset}. Later elements of the Java array are ignored.
     */
    public void write(Object array, int offset, int count) {
        writeBlocking(() -> slices.of(array, offset, count));
    }

    /**
     * Accepts the next slice, or several consecutive ones, from a buffer: all bytes from its position to its limit, in
     * C order, numbers in the buffer's byte order. The position stays. A buffer may lie outside the heap, as that of a
     * camera's driver or of a {@code MemorySegment} ({@code asByteBuffer()}) does.
     *
     * @throws IllegalArgumentException if these are not whole slices; then no slice is accepted
     * @throws dev.shardkit.spi.error.UnsupportedException if the elements are not numbers
     */
    public void write(ByteBuffer buffer) {
        writeBlocking(() -> slices.of(buffer));
    }

    /**
     * Accepts the next slice, or several, as {@link #write(NdArray)} does, and takes over their Java array in place of
     * a copy. Do not change it before {@code released} runs. A pipeline uses it until its layer of inner chunks is
     * encoded, so a ring of arrays must hold at least two layers.
     *
     * @param released runs once, in any thread, when the stream no longer uses the array: after the slices are encoded
     *     or stored, at the latest when {@link #flush} or {@link #close} returns; also if the slices are not accepted.
     *     It must not wait for the stream
     */
    public void writeOwned(NdArray slice, Runnable released) {
        writeOwned(() -> group(slice), released);
    }

    /**
     * Accepts slices as {@link #write(ByteBuffer)} does, and takes over the buffer's memory in place of a copy. Do not
     * change it before {@code released} runs; see {@link #writeOwned(NdArray, Runnable)}.
     */
    public void writeOwned(ByteBuffer buffer, Runnable released) {
        writeOwned(() -> slices.of(buffer), released);
    }

    /**
     * Accepts {@code count} slices of fill values, for frames that were dropped or a position that was not imaged. They
     * take no memory, and inner chunks that hold nothing else are not stored. Any number of whole shards costs as much
     * as one slice. In an array of fixed length, skipped slices overwrite stored slices, as written ones do. If the
     * call fails, the first of them may be accepted: {@link #position} says how many.
     *
     * @throws IllegalArgumentException if the array grows and cannot be so long; then no slice is accepted
     * @throws dev.shardkit.spi.error.UnsupportedException if the store cannot list objects and the slices lie in more
     *     than about a million shards; then no slice is accepted
     * @throws IndexOutOfBoundsException if the slices do not fit into an array of fixed length; then no slice is
     *     accepted
     */
    public void skip(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("expected at least 0 slices, found " + count);
        }
        long call = lastCall.incrementAndGet();
        calls.call(() -> {
            refuse(call);
            refuseBetweenTiles();
            refuseOutside(count);
            slicePosition.refuseUnlisted(position(), count);
            long before = accepted();
            try {
                pending.skip(count);
            } finally {
                flushIfDue(accepted() - before);
            }
            return NoResult.INSTANCE;
        });
    }

    /**
     * Accepts a tile of the next slice, and copies it. The slice is accepted when tiles have covered all its elements,
     * or by {@link #endSlice}. Tiles come in any order; where they overlap, the later one counts. Until the slice is
     * accepted, it takes memory of its own outside the budget, {@link #flush} stores nothing of it, and whole slices
     * are refused.
     *
     * <p>If the last tile fails because earlier slices could not be stored, all tiles are kept: {@link #endSlice}
     * repeats the work.
     *
     * @param tile the place in the slice: without the dimension, or with length 1 in it
     * @param elements the elements of the tile as in {@link #write(ByteBuffer)}
     * @throws IllegalArgumentException if the buffer has another number of bytes; then the tile is not accepted
     * @throws IndexOutOfBoundsException if the tile does not lie in a slice; then it is not accepted
     * @throws dev.shardkit.spi.error.UnsupportedException if the elements are not numbers, or a slice has 2 GiB or more
     */
    public void writeTile(Box tile, ByteBuffer elements) {
        writeTile(tile, part -> slices.tile(part, elements));
    }

    /**
     * Accepts a tile as {@link #writeTile(Box, ByteBuffer)} does.
     *
     * @param origin the place of the tile's first element in the slice; it has the rank of the tile
     * @throws IllegalArgumentException if the data type is another; then the tile is not accepted
     */
    public void writeTile(long[] origin, NdArray tile) {
        writeTile(
                Box.of(origin, tile.shape()),
                part -> slices.tile(part, tile.ofType(slices.type()).array()));
    }

    private void writeTile(Box tile, Function<Box, Feed> elements) {
        long call = lastCall.incrementAndGet();
        calls.call(() -> {
            refuse(call);
            refuseOutside(1);
            Box part = slices.tileBox(tile);
            Feed feed = elements.apply(part);
            TiledSlice begun = assembly;
            TiledSlice slice = begun == null ? new TiledSlice(pending.state().stored(), sliceShape) : begun;
            slice.put(part, feed);
            assembly = slice;
            if (slice.isComplete()) {
                acceptAssembly();
            }
            return NoResult.INSTANCE;
        });
    }

    /**
     * Accepts the next slice as its tiles are: elements that no tile covers become the fill value. A slice without
     * tiles is not accepted. {@link #close} does the same.
     */
    public void endSlice() {
        long call = lastCall.incrementAndGet();
        calls.call(() -> {
            refuse(call);
            acceptAssembly();
            return NoResult.INSTANCE;
        });
    }

    /** Accepts the slice of which tiles have come. If that fails, the tiles are kept. */
    private void acceptAssembly() {
        TiledSlice slice = assembly;
        if (slice == null) {
            return;
        }
        Runnable end = slice.share(); // frees the memory when both the writer and this method have run it
        CallerSlices.SliceGroup group = slices.of(slice.elements()).owned(end);
        long before = accepted();
        assembly = null;
        try {
            accept(group);
        } finally {
            if (accepted() > before) {
                end.run();
            } else {
                assembly = slice;
            }
        }
    }

    /** Returns how many slices this writer has accepted. */
    private long accepted() {
        PendingSlices.State state = pending.state();
        return state.committedCount() + state.backlog().slices();
    }

    private void writeOwned(Supplier<CallerSlices.SliceGroup> group, Runnable released) {
        boolean[] isPassedOn = {false};
        try {
            writeBlocking(() -> {
                CallerSlices.SliceGroup owned = group.get().owned(released);
                isPassedOn[0] = true;
                return owned;
            });
        } finally {
            if (!isPassedOn[0]) { // the group, which would run the action, was not made
                released.run();
            }
        }
    }

    /**
     * Asynchronous form of {@link #write(NdArray)}. Slices have the order of the calls. Do not change the slice before
     * the future completes.
     */
    public CompletableFuture<NoResult> writeAsync(NdArray slice) {
        long call = lastCall.incrementAndGet();
        return calls.start(
                () -> {
                    refuse(call);
                    try {
                        accept(call, group(slice));
                    } catch (Throwable e) {
                        // A cancelled call leaves a gap only if other calls wait behind it.
                        if (!(e instanceof CancellationException) || calls.hasMore()) {
                            fail(e);
                        }
                        throw e;
                    }
                    return NoResult.INSTANCE;
                },
                this::skippedTurn);
    }

    /** Runs a blocking write in its turn. */
    private void writeBlocking(Supplier<CallerSlices.SliceGroup> group) {
        long call = lastCall.incrementAndGet();
        calls.call(() -> {
            accept(call, group.get());
            return NoResult.INSTANCE;
        });
    }

    private void accept(long call, CallerSlices.SliceGroup group) {
        boolean isPassedOn = false;
        try {
            refuse(call);
            refuseBetweenTiles();
            isPassedOn = true;
        } finally {
            group.release(isPassedOn ? 0 : group.count()); // a refused call uses none of its slices
        }
        accept(group);
    }

    private void accept(CallerSlices.SliceGroup group) {
        long before = accepted();
        try {
            refuseOutside(group.count());
            for (int i = 0; i < group.count(); i++) {
                pending.accept(group, i);
                flushIfDue(1);
            }
        } finally { // accepted slices are released when they are stored, even if this call fails
            group.release(group.count() - (int) (accepted() - before));
        }
    }

    private void refuseBetweenTiles() {
        if (assembly != null) {
            throw new IllegalStateException("slice " + position()
                    + " has tiles already: write the others, or accept it by endSlice(), before the next slice");
        }
    }

    private void refuseOutside(long count) {
        long position = position();
        if (fixed && count > slicePosition.region().end(plan.dimension()) - position) {
            throw new IndexOutOfBoundsException("slices " + position + " to " + (position + (count - 1))
                    + " do not all lie in " + slicePosition.region());
        }
        long longest = Long.MAX_VALUE - Long.MAX_VALUE % slicePosition.chunkDepth();
        if (!fixed && count > longest - position) {
            throw new IllegalArgumentException("expected at most " + (longest - position) + " slices behind slice "
                    + position + ", up to the end of the longest array, found " + count);
        }
    }

    /**
     * Counts accepted slices. Begins a flush if as many are unflushed as the options say; otherwise the first of them
     * starts the timer of a flush, if the options have a delay.
     */
    private void flushIfDue(long accepted) {
        boolean isFirst = unflushed == 0;
        unflushed += accepted;
        if (unflushed >= options.flushSlices()) {
            beginFlush();
        } else if (isFirst && unflushed > 0 && options.flushDelay().isPresent()) {
            long timer = ++flushTimer;
            calls.startLater(options.flushDelay().get(), () -> {
                if (timer == flushTimer && !closed && !closeFailed) {
                    beginFlush();
                }
                return NoResult.INSTANCE;
            });
        }
    }

    private void beginFlush() {
        unflushed = 0;
        flushTimer++;
        pending.beginFlush();
    }

    /** Throws if the writer is closed, or if an earlier failure refuses this call. */
    private void refuse(long call) {
        if (closed) {
            throw new IllegalStateException("the slice writer is closed");
        }
        closeFailed = false;
        SliceFailure earlier = failure.get();
        if (earlier != null && earlier.refuses(call)) {
            throw earlier.refusal("the slice is not taken");
        }
    }

    /**
     * Records that a call was cancelled or rejected before its turn. Slices of calls that wait behind it must not take
     * its place.
     */
    private void skippedTurn() {
        if (calls.hasMore()) {
            fail(new CancellationException("the call was cancelled, or the executor rejected it"));
        }
    }

    /** Records a failure, unless an earlier one was not reported yet. */
    private void fail(Throwable cause) {
        SliceFailure earlier = failure.get();
        if (earlier == null || earlier.isReported()) {
            failure.set(SliceFailure.unreported(cause));
        }
    }

    /**
     * Waits for earlier calls and writes all waiting slices, including those of an incomplete inner chunk.
     *
     * @throws IllegalStateException if an earlier asynchronous write failed; the slices before it are written first
     */
    public void flush() {
        long call = lastCall.incrementAndGet();
        calls.call(() -> flushNow(call));
    }

    /** Writes all waiting slices, then throws an earlier failure that refuses this call. */
    private NoResult flushNow(long call) {
        closeFailed = false;
        unflushed = 0;
        flushTimer++;
        pending.flush();
        SliceFailure earlier = failure.get();
        if (earlier != null && earlier.refuses(call)) {
            report(earlier);
        }
        return NoResult.INSTANCE;
    }

    /** Throws a failure. If no call has reported it before, later calls are accepted again. */
    private void report(SliceFailure earlier) {
        if (!earlier.isReported()) {
            failure.set(earlier.reported(lastCall.get()));
        }
        throw earlier.refusal("not all slices are written");
    }

    /** Asynchronous form of {@link #flush}. */
    public CompletableFuture<NoResult> flushAsync() {
        long call = lastCall.incrementAndGet();
        return calls.start(() -> flushNow(call), () -> {});
    }

    /**
     * Waits for earlier calls, {@linkplain #endSlice accepts} a slice of which tiles have come, writes all waiting
     * slices, and accepts no more. If storing fails, the writer is still open, the slices wait, and nothing is stored
     * in the background: repeat the call, or drop the writer with its slices. If an earlier {@link #writeAsync} failed
     * and no call has reported it, this call throws that failure after it has closed the writer.
     */
    @Override
    public void close() {
        boolean isEnded = false;
        try {
            isEnded = calls.call(() -> {
                closeNow();
                return true;
            });
        } finally {
            if (!isEnded) {
                closeFailed = true;
                pending.pause();
            }
        }
    }

    private void closeNow() {
        if (closed) {
            return;
        }
        closeFailed = false;
        acceptAssembly();
        pending.flush();
        closed = true;
        pending.close();
        if (slicePosition.isLonger()) {
            ConsolidatedUpdates.changed(node);
        }
        SliceFailure earlier = failure.get();
        if (earlier != null && !earlier.isReported()) {
            report(earlier);
        }
    }
}
