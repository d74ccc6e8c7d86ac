package dev.shardkit.store.remote;

import java.util.function.LongSupplier;

/**
 * Measures the remaining time of one call. Time counts during requests and the pauses between them, but not while the
 * call waits for a permit. Received bytes give time back, one second for each {@link #SLOWEST} bytes. So a call over a
 * slow but steady link does not fail, but a call fails if bytes arrive more slowly than that. The total time of a call
 * is limited to {@link #MAX} deadlines. Thread-safe: the monitor guards all fields.
 */
final class CallDeadline {
    /** The minimum average rate of a response, in bytes a second. */
    static final long SLOWEST = 1 << 10;
    /** The maximum total time of a call, in deadlines. */
    static final int MAX = 30;

    /** The limit that was reached. */
    enum Limit {
        NONE,
        DEADLINE,
        IDLE
    }

    private final long deadline;
    private final long idle;
    private final LongSupplier clock;
    private long remainingNanos;

    /** The time that has counted so far. */
    private long spent;

    /** Whether time counts now. */
    private boolean running;
    /** The time at which {@link #remainingNanos} and {@link #spent} were computed. */
    private long countedUntil;
    /** The time at which the request was sent or last received bytes; {@link Long#MAX_VALUE} in a pause. */
    private long lastProgress;

    /** Creates the deadline of a call that begins now. All times are in nanoseconds, those of {@code clock}. */
    CallDeadline(long deadline, long idle, LongSupplier clock) {
        this.deadline = deadline;
        this.remainingNanos = deadline;
        this.idle = idle;
        this.clock = clock;
        this.countedUntil = clock.getAsLong();
    }

    /** Records that a request was sent. */
    synchronized void sent() {
        count();
        running = true;
        lastProgress = countedUntil;
    }

    /** Records that the request ended and a pause begins. The pause counts, but has no idle limit. */
    synchronized void paused() {
        count();
        running = true;
        lastProgress = Long.MAX_VALUE;
    }

    /** Records that the call waits for a permit. */
    synchronized void queued() {
        count();
        running = false;
    }

    /** Records that bytes were received, even if the call does not need them. Gives no time back. */
    synchronized void progressed() {
        lastProgress = clock.getAsLong();
    }

    /** Records received bytes that the call needs. Gives time back. */
    synchronized void received(long bytes) {
        count();
        lastProgress = countedUntil;
        remainingNanos = (long)
                Math.min(Math.min(deadline, (double) MAX * deadline - spent), remainingNanos + bytes * (1e9 / SLOWEST));
    }

    /** Counts the time since the last call of this method, if time counts now. */
    private void count() {
        long now = clock.getAsLong();
        long elapsed = running ? now - countedUntil : 0;
        remainingNanos -= elapsed;
        spent += elapsed;
        countedUntil = now;
    }

    /** Returns the nanoseconds that remain before the deadline. Pauses count as used time. */
    synchronized long remainingNanos() {
        count();
        return remainingNanos;
    }

    /** Returns the nanoseconds until the next limit, if nothing is received until then. */
    synchronized long next() {
        count();
        return lastProgress == Long.MAX_VALUE
                ? remainingNanos
                : Math.min(remainingNanos, idle - (countedUntil - lastProgress));
    }

    /** Returns the limit that has been reached. */
    synchronized Limit reached() {
        count();
        if (!running) {
            return Limit.NONE;
        } else if (remainingNanos <= 0) {
            return Limit.DEADLINE;
        }
        return lastProgress != Long.MAX_VALUE && countedUntil - lastProgress >= idle ? Limit.IDLE : Limit.NONE;
    }
}
