package dev.shardkit.store.remote;

import java.util.function.LongSupplier;

/**
 * The remaining time of one call. Time counts against the deadline during requests and pauses, but not while the call
 * waits for a permit. Received bytes give time back at the rate of {@link #SLOWEST}. So a slow but steady link does not
 * fail, while one that only drips does. The total is limited to {@link #MAX} deadlines. Guarded by its own monitor.
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
    private long spent;
    private boolean running;
    /** The time at which {@link #remainingNanos} and {@link #spent} were computed. */
    private long countedUntil;
    /** The time at which the request was sent, or last received bytes. */
    private long lastProgress;

    /** All times are in nanoseconds, as {@code clock} counts them. */
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

    /** Records that the request ended and a pause begins; its time counts. */
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

    /** Records that something was received, perhaps without progress. */
    synchronized void progressed() {
        lastProgress = clock.getAsLong();
    }

    /** Records received bytes that are progress. */
    synchronized void received(long bytes) {
        count();
        lastProgress = countedUntil;
        remainingNanos = (long)
                Math.min(Math.min(deadline, (double) MAX * deadline - spent), remainingNanos + bytes * (1e9 / SLOWEST));
    }

    private void count() {
        long nanos = clock.getAsLong();
        long elapsed = running ? nanos - countedUntil : 0;
        remainingNanos -= elapsed;
        spent += elapsed;
        countedUntil = nanos;
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
