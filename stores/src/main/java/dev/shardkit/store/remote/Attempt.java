package dev.shardkit.store.remote;

import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.internal.KeyLocks;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.internal.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a request, from its permit to its outcome. It ends exactly once: by the transport, a timer or the
 * request. Ending it releases the permit, even if the transport is still running.
 */
final class Attempt implements Transport.Receiver {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.remote");

    private final RequestContext common;
    private final RetriedRequest<?> retried;
    private final CallDeadline patience;
    private final AtomicBoolean over = new AtomicBoolean();
    // Made before they are needed: the timer may be the last to end the call, and memory may have run out. For the same
    // reason the ends of the request share no method that takes a lambda, which would have to be linked first.
    private final Runnable late;
    private final Runnable idle;
    private volatile Set<String> secrets;
    private volatile Transport.@Nullable Exchange exchange;
    private volatile Clock.@Nullable Due look;
    /** Whether making the request may wait now, for credentials. */
    private volatile boolean preparing;

    private volatile int status;
    private volatile long sent = System.nanoTime();
    private final long queued;
    private volatile long begun;
    private volatile long received;
    /** The part of the body to collect. Used only by the transport's callbacks, which do not overlap. */
    private @Nullable BodyCollector body;

    private boolean sending;
    private boolean flowing;
    private boolean ended;

    /**
     * Creates a request.
     *
     * @param queued how long it waited for its permit, in nanoseconds
     */
    Attempt(RequestContext common, RetriedRequest<?> retried, CallDeadline patience, long queued) {
        this.queued = queued;
        this.common = common;
        this.retried = retried;
        this.late = () -> retried.late(preparing);
        this.idle = this::idle;
        this.patience = patience;
        this.secrets = common.origin().secrets();
    }

    /** Sends the request. The caller holds a permit. */
    void begin() {
        synchronized (this) {
            if (ended) {
                return;
            }
            sending = true;
            common.traffic().sent();
        }
        try {
            patience.sent();
            watch();
            Transport.Exchange begun = common.transport().send(this);
            exchange = begun;
            if (over.get()) {
                begun.cancel();
            }
        } catch (Throwable e) { // no memory for a thread
            failed(e);
        }
    }

    private void watch() {
        Clock.Due next = Clock.after(patience.next(), this::look);
        look = next;
        if (over.get()) {
            next.cancel();
        }
    }

    /** Checks the limits, on the timer's thread. */
    private void look() {
        if (over.get()) {
            return;
        }
        switch (patience.reached()) {
            case DEADLINE -> common.transport().execute(late);
            case IDLE -> common.transport().execute(idle);
            default -> watch();
        }
    }

    private void idle() {
        if (!end()) {
            return;
        }
        try {
            report();
            cancelExchange();
            brokeOff();
            retried.unanswered();
            retried.again("no byte for " + KeyLocks.text(common.settings().idle()), null, null);
        } catch (Throwable e) {
            retried.lost(e);
        }
    }

    /** Aborts the request without an outcome. */
    void cancel() {
        if (!end()) { // returns the permit first, and needs no memory for that
            return;
        }
        report();
        cancelExchange();
    }

    private void cancelExchange() {
        Transport.Exchange running = exchange;
        if (running != null) {
            running.cancel();
        }
    }

    /** Reports the request to the caller's receiver of metrics. */
    private void report() {
        if (!sending || common.settings().metrics() == RequestContext.Settings.NO_METRICS) {
            return;
        }
        Optional<Duration> latency = status == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(begun - sent));
        RequestMetrics metrics = new RequestMetrics(
                retried.operation(),
                common.origin().host(),
                status == 0 ? OptionalInt.empty() : OptionalInt.of(status),
                Duration.ofNanos(queued),
                latency,
                Duration.ofNanos(System.nanoTime() - sent),
                received);
        try {
            common.settings().metrics().accept(metrics);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a receiver of metrics failed", e);
        }
    }

    /** Completes the request. Returns whether this was the first completion. */
    private boolean end() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        try {
            count();
        } finally {
            common.release();
        }
        return true;
    }

    /** Records the end. Allocates nothing, not even an {@code Integer} of the status: memory may have run out. */
    private void count() {
        Clock.Due next = look;
        if (next != null) {
            next.cancel();
        }
        boolean refused = status == 429 || status == 503; // by an overloaded server
        synchronized (this) {
            ended = true;
            if (flowing) {
                common.traffic().ended();
            }
            if (sending) {
                common.traffic().over(refused ? Traffic.Ending.REFUSED : Traffic.Ending.WELL);
            }
        }
    }

    @Override
    public Request request() {
        preparing = requestMayWait();
        Origin.Prepared prepared = retried.prepare();
        preparing = false;
        secrets = prepared.secrets();
        sent = System.nanoTime();
        return prepared.request();
    }

    @Override
    public boolean requestMayWait() {
        return common.origin().mayWait();
    }

    @Override
    public Transport.Body head(Head head) {
        synchronized (this) {
            if (!flowing && !ended) {
                flowing = true;
                begun = System.nanoTime();
                common.traffic().begun(begun - sent);
            }
        }
        patience.heard();
        status = head.status();
        BodyCollector collect = retried.collect(head);
        body = collect;
        return buffer -> take(collect, buffer);
    }

    private Transport.Wish take(BodyCollector collect, ByteBuffer buffer) {
        if (over.get()) {
            return Transport.Wish.STOP;
        }
        received += buffer.remaining(); // the transport's callbacks do not overlap
        common.traffic().received(buffer.remaining());
        retried.received(buffer.remaining());
        long before = collect.useful();
        Transport.Wish wish = collect.take(buffer);
        retried.grew(collect);
        long useful = collect.useful() - before;
        if (useful > 0) {
            patience.received(useful);
        } else {
            patience.heard();
        }
        return wish;
    }

    @Override
    public void done() {
        if (!end()) {
            return;
        }
        try {
            report();
            answered();
        } catch (Throwable e) {
            retried.lost(e);
        }
    }

    /** Foreign code may block: that of the request's caller, receivers of metrics, and handlers of logs. */
    @Override
    public boolean doneMayWait() {
        return retried.endMayWait()
                || common.settings().metrics() != RequestContext.Settings.NO_METRICS
                || common.origin().log().isLoggable(System.Logger.Level.DEBUG);
    }

    private void answered() {
        common.origin().log(retried::operation, status, System.nanoTime() - sent);
        ResponseOutcome outcome;
        try {
            if (body == null) {
                throw new IOException("expected a response, found none");
            }
            outcome = body.end();
        } catch (IOException e) {
            brokeOff();
            retried.broken(e, secrets);
            return;
        }
        retried.answered(outcome);
    }

    @Override
    public void failed(Throwable failure) {
        if (!end()) {
            return;
        }
        try {
            report();
            brokeOff();
            retried.broken(failure, secrets);
        } catch (Throwable e) {
            retried.lost(e);
        }
    }

    private void brokeOff() {
        if (body != null) {
            retried.brokeOff(body);
        }
    }
}
