package dev.shardkit.engine;

import dev.shardkit.engine.Fetches.Got;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.Arrival;
import dev.shardkit.store.Fetched;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request to a far store in progress. It is made before it counts, and its end allocates nothing: however a step
 * fails, the request ends, once, and a failure ends the run.
 */
final class FarRequest implements BiConsumer<Got, Throwable>, Supplier<Unit>, Arrival {
    /** The sender of requests. */
    interface Owner {
        /** Accepts the beginning of the answer: queues the reads that it completes. */
        Unit began(FarRequest request, Fetched.Found beginning);

        /** Accepts the outcome. */
        void answered(FarRequest request);

        /** Counts a request as ended, of whose answer {@code left} bytes remain to be decoded. Under the monitor. */
        void ended(FarRequest request, long left);
    }

    private final Owner owner;
    private final AnswerReceiver execution;
    private final MergedRead merged;
    private final @Nullable String pin;
    private final long size;
    private volatile @Nullable CompletableFuture<Got> future;
    private @Nullable Got got;
    private @Nullable Throwable thrown;
    private boolean over;
    private final EarlyReads early;

    FarRequest(Owner owner, AnswerReceiver execution, MergedRead merged, Optional<String> pin) {
        this.owner = owner;
        this.execution = execution;
        this.merged = merged;
        this.pin = pin.orElse(null);
        this.size = Decodings.size(merged.range());
        this.early = new EarlyReads(merged);
    }

    MergedRead merged() {
        return merged;
    }

    Optional<String> pin() {
        return Optional.ofNullable(pin);
    }

    /** Returns the number of bytes that it is expected to hold until it ends. */
    long size() {
        return size;
    }

    /** Returns the outcome after its end; null if it failed. */
    @Nullable
    Got got() {
        return got;
    }

    @Nullable
    Throwable thrown() {
        return thrown;
    }

    void sent(CompletableFuture<Got> by) {
        future = by;
    }

    /** Returns what to do with the beginning of the answer. */
    Arrival arrival() {
        return merged.isDownload() || EarlyReads.pay(merged) ? this : Arrival.NONE;
    }

    /** Returns the reads that need not wait for the whole answer. Under the monitor. */
    EarlyReads early() {
        return early;
    }

    /** Accepts the beginning of the answer. Throws nothing: the store's thread would lose the failure. */
    @Override
    public void came(Fetched.Found beginning) {
        try {
            execution.asBegun(() -> owner.began(this, beginning));
        } catch (Throwable e) {
            execution.fail(e);
        }
    }

    /** Accepts the outcome. Throws nothing: the thread that delivers it would lose the failure. */
    @Override
    public void accept(@Nullable Got value, @Nullable Throwable failure) {
        got = value;
        thrown = failure;
        try {
            execution.asBegun(this);
        } catch (Throwable e) {
            lost(e);
        }
    }

    @Override
    public Unit get() {
        owner.answered(this);
        return Unit.UNIT;
    }

    /** Ends the request and the run after a failure of the engine itself, such as memory that ran out. */
    void lost(Throwable failure) {
        execution.fail(failure);
        end(0);
        execution.answered(List.of());
    }

    /** Ends the request, of whose answer {@code left} bytes remain to be decoded. */
    void end(long left) {
        synchronized (execution) {
            if (!over) {
                over = true;
                owner.ended(this, left);
            }
        }
    }

    void cancel() {
        CompletableFuture<Got> sent = future;
        if (sent != null) {
            sent.cancel(true);
        }
    }
}
