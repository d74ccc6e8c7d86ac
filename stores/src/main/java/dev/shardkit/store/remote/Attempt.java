package dev.shardkit.store.remote;

import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.keys.KeyLocks;
import dev.shardkit.store.remote.exchange.BodyCollector;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.timer.TimerThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a {@link RetriedRequest}, from its permit to its outcome. It ends exactly once: the transport, a timer
 * or the request ends it. Its end releases the permit, even if the transport is still running.
 */
final class Attempt implements Transport.Receiver {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.remote");

    private final RequestContext context;
    private final RetriedRequest<?> retried;
    private final CallDeadline deadline;
    private final AtomicBoolean isOver = new AtomicBoolean();
    // These two actions are created early, because memory may have run out when the timer ends the call. For the same
    // reason, the methods that end the request share no method with a lambda: its first call needs memory to link it.
    private final Runnable onTimeout;
    private final Runnable onIdle;
    /** The secrets of this attempt's request, which messages must not contain. */
    private volatile Set<String> secrets;

    private volatile Transport.@Nullable Exchange exchange;
    private volatile TimerThread.@Nullable Due nextCheck;
    /** Whether the request is being created now, which may wait for credentials. */
    private volatile boolean preparing;

    /** The status code of the response; 0 before it arrives. */
    private volatile int status;

    /** The time of {@link System#nanoTime} at which the request was sent. */
    private volatile long sentNanos = System.nanoTime();

    /** How long the request waited for its permit, in nanoseconds. */
    private final long queuedNanos;

    /** The time of {@link System#nanoTime} at which the response began. */
    private volatile long responseStart;

    /** The number of received bytes of the body. */
    private volatile long received;
    /** The part of the body to collect. Used only by the transport's callbacks, which do not overlap. */
    private @Nullable BodyCollector body;

    // Guarded by this object: whether traffic counts the request and its response, and whether it has ended.
    private boolean sending;
    private boolean responding;
    private boolean ended;

    /**
     * Creates an attempt.
     *
     * @param queuedNanos how long it waited for its permit, in nanoseconds
     */
    Attempt(RequestContext context, RetriedRequest<?> retried, CallDeadline deadline, long queuedNanos) {
        this.queuedNanos = queuedNanos;
        this.context = context;
        this.retried = retried;
        this.onTimeout = () -> retried.onTimeout(preparing);
        this.onIdle = this::onIdle;
        this.deadline = deadline;
        this.secrets = context.origin().secrets();
    }

    /** Sends the request. The caller holds a permit. */
    void begin() {
        synchronized (this) {
            if (ended) {
                return;
            }
            sending = true;
            context.traffic().sent();
        }
        try {
            deadline.sent();
            scheduleCheck();
            Transport.Exchange started = context.transport().send(this);
            exchange = started;
            if (isOver.get()) {
                started.cancel();
            }
        } catch (Throwable e) { // for example, no memory for a thread
            failed(e);
        }
    }

    /** Schedules a check for the time at which the request, if it receives nothing, exceeds its next time limit. */
    private void scheduleCheck() {
        TimerThread.Due next = TimerThread.after(deadline.next(), this::checkProgress);
        nextCheck = next;
        if (isOver.get()) {
            next.cancel();
        }
    }

    /** Checks the time limits, on the timer's thread. */
    private void checkProgress() {
        if (isOver.get()) {
            return;
        }
        switch (deadline.reached()) {
            case DEADLINE -> context.transport().execute(onTimeout);
            case IDLE -> context.transport().execute(onIdle);
            default -> scheduleCheck();
        }
    }

    /** Ends this attempt and retries the request, because no byte has arrived for too long. */
    private void onIdle() {
        if (!end()) {
            return;
        }
        try {
            report();
            cancelExchange();
            keepPartialBody();
            retried.unanswered();
            retried.retry("no byte for " + KeyLocks.text(context.settings().idle()), null, null);
        } catch (Throwable e) {
            retried.failUnexpectedly(e);
        }
    }

    /** Aborts the request without an outcome. */
    void cancel() {
        if (!end()) { // comes first, because it releases the permit and needs no memory
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
        if (!sending || context.settings().metrics() == RequestContext.Settings.NO_METRICS) {
            return;
        }
        Optional<Duration> latency =
                status == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(responseStart - sentNanos));
        RequestMetrics metrics = new RequestMetrics(
                retried.operation(),
                context.origin().host(),
                status == 0 ? OptionalInt.empty() : OptionalInt.of(status),
                Duration.ofNanos(queuedNanos),
                latency,
                Duration.ofNanos(System.nanoTime() - sentNanos),
                received);
        try {
            context.settings().metrics().accept(metrics);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a receiver of metrics failed", e);
        }
    }

    /** Completes the request. Returns whether this was the first completion. */
    private boolean end() {
        if (!isOver.compareAndSet(false, true)) {
            return false;
        }
        try {
            recordEnd();
        } finally {
            context.release();
        }
        return true;
    }

    /** Records the end. Allocates nothing, not even an {@code Integer} of the status: memory may have run out. */
    private void recordEnd() {
        TimerThread.Due next = nextCheck;
        if (next != null) {
            next.cancel();
        }
        boolean refused = status == 429 || status == 503; // the server is overloaded
        synchronized (this) {
            ended = true;
            if (responding) {
                context.traffic().bodyEnded();
            }
            if (sending) {
                context.traffic().requestEnded(refused ? NetworkEstimate.Ending.REFUSED : NetworkEstimate.Ending.OTHER);
            }
        }
    }

    @Override
    public Request request() {
        preparing = requestMayWait();
        ServerProtocol.Prepared prepared = retried.prepare();
        preparing = false;
        secrets = prepared.secrets();
        sentNanos = System.nanoTime();
        return prepared.request();
    }

    @Override
    public boolean requestMayWait() {
        return context.origin().mayWait();
    }

    @Override
    public Transport.BodyReceiver head(Head head) {
        synchronized (this) {
            if (!responding && !ended) {
                responding = true;
                responseStart = System.nanoTime();
                context.traffic().responseBegan(responseStart - sentNanos);
            }
        }
        deadline.progressed();
        status = head.status();
        BodyCollector collect = retried.collect(head);
        body = collect;
        return buffer -> collect(collect, buffer);
    }

    private Transport.Wish collect(BodyCollector collect, ByteBuffer buffer) {
        if (isOver.get()) {
            return Transport.Wish.STOP;
        }
        received += buffer.remaining(); // the transport's callbacks do not overlap
        context.traffic().bodyReceived(buffer.remaining());
        retried.received(buffer.remaining());
        long usefulBefore = collect.useful();
        Transport.Wish wish = collect.take(buffer);
        retried.grew(collect);
        long useful = collect.useful() - usefulBefore;
        if (useful > 0) {
            deadline.received(useful);
        } else {
            deadline.progressed();
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
            retried.failUnexpectedly(e);
        }
    }

    /**
     * Returns whether {@link #done} may run foreign code, which may block: code of the request's caller, a receiver of
     * metrics, or a log handler.
     */
    @Override
    public boolean doneMayWait() {
        return retried.endMayWait()
                || context.settings().metrics() != RequestContext.Settings.NO_METRICS
                || context.origin().log().isLoggable(System.Logger.Level.DEBUG);
    }

    /** Passes the outcome of a complete response to the request. */
    private void answered() {
        context.origin().log(retried::operation, status, System.nanoTime() - sentNanos);
        ResponseOutcome outcome;
        try {
            if (body == null) {
                throw new IOException("expected a response, found none");
            }
            outcome = body.end();
        } catch (IOException e) {
            keepPartialBody();
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
            keepPartialBody();
            retried.broken(failure, secrets);
        } catch (Throwable e) {
            retried.failUnexpectedly(e);
        }
    }

    /** Passes the received part of the body to the request, so that the next attempt requests only the rest. */
    private void keepPartialBody() {
        if (body != null) {
            retried.brokeOff(body);
        }
    }
}
