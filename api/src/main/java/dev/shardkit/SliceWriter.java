package dev.shardkit;

import dev.shardkit.SliceOptions.Technique;
import dev.shardkit.engine.Turns;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.SlicePlace;
import dev.shardkit.region.SlicePlace.Batch;
import dev.shardkit.region.SlicePlan;
import dev.shardkit.region.Slices;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.plan.Unit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Takes slices along one dimension as they arrive and writes them in bounded memory (ZEP 2, "Storing a stream of data
 * slices"). How is chosen by {@link SliceOptions.Technique}.
 *
 * <p>Slices wait in memory until those of an inner chunk (or of a shard, if they are buffered) are together, and are
 * then written before {@link #write} returns. What {@link #flush} or {@link #close} returned for is committed, and so
 * is everything below {@link #committed}; a crash loses at most the slices from there on. After a failure the waiting
 * slices still wait, and {@link #flush} can be repeated.
 *
 * <p>Slices lie in the order of the calls, blocking ones and others. After a {@link #writeAsync} that failed, no later
 * slice takes its place: all that come behind it are refused, and {@link #flush} and {@link #close} write what was
 * taken and then fail too, once; from then on slices are taken again. It is the same after a call that was cancelled
 * before its slice was taken, if others were waiting behind it.
 *
 * <p>Several writers may make one array longer at once ({@link SliceOptions.Growth#GROW} without a region): threads,
 * processes, handles of any age. Each batch that is written together goes behind the end that is stored at that moment,
 * so nothing is lost, and nobody sees slices that are not there; slices of one writer keep their order, but those of
 * others may lie between its batches. Writers that write fixed regions should not share one.
 *
 * <p>Thread-safe: one call is made at a time, and the state may be asked for meanwhile, by a listener too. A listener
 * must not wait for the stream that it listens to: {@link #write}, {@link #flush} and {@link #close} are refused there
 * with an {@link IllegalStateException}; {@link #writeAsync} and {@link #flushAsync} are taken, and follow the call
 * that is under way. Code that depends on a future of the stream may make any call, and wait for it.
 */
public final class SliceWriter implements AutoCloseable {
    private final StoredNode own;
    private final StoredNode node;
    private final SlicePlace place;
    private final SlicePlan plan;
    private final Slices slices;
    private final Turns turns;
    private final AtomicLong asked = new AtomicLong();
    private final AtomicReference<Optional<Failed>> failed = new AtomicReference<>(Optional.empty());
    private final Deque<Object> spare = new ArrayDeque<>();
    private final List<Object> waiting = new ArrayList<>();
    private final boolean fixed;
    private final AtomicReference<Seen> seen;
    private long committed;
    private boolean closed;

    /** How far the stream is, for threads that ask while a call is under way. */
    private record Seen(ArrayMetadata stored, long committed, long position) {}

    /** What ended the order of slices; calls up to number {@code last} are refused. */
    private record Failed(Throwable cause, long last) {
        private static final long NOT_TOLD = Long.MAX_VALUE;

        boolean concerns(long call) {
            return call <= last;
        }

        boolean isTold() {
            return last != NOT_TOLD;
        }

        IllegalStateException refusal(String what) {
            return new IllegalStateException(what + ": an earlier one was not written (" + cause + ")", cause);
        }
    }

    SliceWriter(StoredNode node, SlicePlace place, int dimension, SliceOptions options) {
        this.own = node.in(node.session().with(node.session().options()));
        this.place = place;
        this.fixed = options.growth() == SliceOptions.Growth.FIXED;
        this.committed = place.region().origin(dimension);
        this.slices = new Slices(place.stored().dataType(), place.slice(0).shape(), dimension);
        this.plan = SlicePlan.of(
                node.session(),
                place.chunks(),
                place.slice(committed),
                dimension,
                SlicePlan.Technique.valueOf(options.technique().name()),
                options.budgetBytes());
        this.turns = node.session().turns();
        this.node = node.in(node.session()
                .with(plan.options(node.session().options())
                        .with(turns.listener(node.session().options().listener()))));
        this.seen = new AtomicReference<>(new Seen(place.stored(), committed, committed));
        place.check(node);
    }

    /** The array, as long as this writer saw it last. */
    public ZarrArray array() {
        return new ZarrArray(own, seen.get().stored());
    }

    /** How slices get into shards; never {@link Technique#AUTO}. */
    public Technique technique() {
        return Technique.valueOf(plan.technique().name());
    }

    /**
     * Where the next slice goes, as an index of the dimension, if all that were given before are taken and no other
     * writer makes the array longer before it is committed.
     */
    public long position() {
        return seen.get().position();
    }

    /**
     * Slices before this index are committed, those of other writers too. Where this one writes behind the array's end,
     * those of its last batch end here.
     */
    public long committed() {
        return seen.get().committed();
    }

    private void changed() {
        seen.set(new Seen(place.stored(), committed, committed + waiting.size()));
    }

    /**
     * Takes the next slice, or several, which are copied. Its shape is that of the region with length 1 in the
     * dimension, or without the dimension; that of several has their number there.
     *
     * @throws IllegalArgumentException if it has another shape; then nothing is taken
     * @throws IndexOutOfBoundsException if the array ends before them and does not grow; then nothing is taken
     */
    public void write(NdArray slice) {
        blocking(() -> slices.of(slice.shape(), slice.array()));
    }

    /**
     * Takes the next slice, or several, one behind the other, from a Java array of the data type's carrier, in C order
     * from place {@code offset} to its end.
     *
     * @throws IllegalArgumentException if what is there does not come out as whole slices; then nothing is taken
     * @throws IndexOutOfBoundsException if the array ends before them and does not grow; then nothing is taken
     */
    public void write(Object array, int offset) {
        blocking(() -> slices.of(array, offset));
    }

    /**
     * Takes the next {@code count} slices, one behind the other, from a Java array of the data type's carrier, in C
     * order from place {@code offset}; what lies behind them in the Java array is left alone.
     */
    public void write(Object array, int offset, int count) {
        blocking(() -> slices.of(array, offset, count));
    }

    /**
     * As {@link #write(NdArray)}, without waiting; slices lie in the order of the calls. The slice must stay as it is
     * until then.
     */
    public CompletableFuture<Unit> writeAsync(NdArray slice) {
        long call = asked.incrementAndGet();
        return turns.start(
                () -> {
                    refuse(call);
                    try {
                        take(call, slices.of(slice.shape(), slice.array()));
                    } catch (Throwable e) {
                        if (!(e instanceof CancellationException) || turns.hasMore()) {
                            fail(e);
                        }
                        throw e;
                    }
                    return Unit.UNIT;
                },
                this::skipped);
    }

    private void blocking(Supplier<Slices.Some> some) {
        long call = asked.incrementAndGet();
        turns.call(() -> {
            take(call, some.get());
            return Unit.UNIT;
        });
    }

    private void take(long call, Slices.Some some) {
        refuse(call);
        long position = position();
        if (fixed && position + some.count() > place.region().end(plan.dimension())) {
            throw new IndexOutOfBoundsException("slices " + position + " to " + (position + some.count() - 1)
                    + " do not all lie in " + place.region());
        }
        for (int i = 0; i < some.count(); i++) {
            place.reach(position() + 1);
            if (isFull()) {
                commit(); // an earlier one failed
            }
            waiting.add(some.copy(i, spare));
            changed();
            if (isFull()) {
                commit();
            }
        }
    }

    private boolean isFull() {
        return waiting.size() >= plan.most(place.chunks(), place.slice(committed));
    }

    private void refuse(long call) {
        if (closed) {
            throw new IllegalStateException("the slice writer is closed");
        }
        failed.get().filter(f -> f.concerns(call)).ifPresent(f -> {
            throw f.refusal("the slice is not taken");
        });
    }

    /** A call that was cancelled before its turn; what waits behind it must not take its place. */
    private void skipped() {
        if (turns.hasMore()) {
            fail(new CancellationException("the call was cancelled"));
        }
    }

    private void fail(Throwable cause) {
        if (failed.get().filter(f -> !f.isTold()).isEmpty()) {
            failed.set(Optional.of(new Failed(cause, Failed.NOT_TOLD)));
        }
    }

    /**
     * Waits for the calls before, and writes the slices that wait, also those of an inner chunk that is not complete.
     *
     * @throws IllegalStateException if an asynchronous write failed before; what was taken is written then
     */
    public void flush() {
        long call = asked.incrementAndGet();
        turns.call(() -> flushed(call));
    }

    private Unit flushed(long call) {
        commit();
        Optional<Failed> before = failed.get().filter(f -> f.concerns(call));
        if (before.isPresent()) {
            tell(before.get());
        }
        return Unit.UNIT;
    }

    private void tell(Failed before) {
        if (!before.isTold()) {
            failed.set(Optional.of(new Failed(before.cause(), asked.get())));
        }
        throw before.refusal("not all slices are written");
    }

    private void commit() {
        try {
            while (!waiting.isEmpty()) {
                Batch batch = place.store(node, plan, committed, waiting);
                List<Object> done = waiting.subList(0, batch.count());
                slices.giveBack(done, spare);
                done.clear();
                committed = batch.end();
                changed();
            }
        } finally {
            changed(); // a batch that failed may have seen another shape
        }
    }

    /** As {@link #flush}, without waiting. */
    public CompletableFuture<Unit> flushAsync() {
        long call = asked.incrementAndGet();
        return turns.start(() -> flushed(call), () -> {});
    }

    /** Waits for the calls before, writes the slices that wait, and takes no more. */
    @Override
    public void close() {
        turns.call(() -> {
            closeNow();
            return Unit.UNIT;
        });
    }

    private void closeNow() {
        if (closed) {
            return;
        }
        commit();
        closed = true;
        spare.clear();
        if (place.isLonger()) {
            Consolidated.changed(node, place.stored());
        }
        failed.get().filter(f -> !f.isTold()).ifPresent(this::tell);
    }
}
