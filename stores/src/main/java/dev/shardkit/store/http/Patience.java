package dev.shardkit.store.http;

import java.util.function.LongSupplier;

/**
 * How much longer one call may go on. Time is taken from the deadline while a request or a pause is under way, not
 * while the call waits for its turn. Bytes give it back, at the rate of {@link #SLOWEST}, so that a slow link on which
 * bytes flow is waited for and one that drips is not; but never for longer than {@link #MOST} deadlines in all. Guarded
 * by its own monitor.
 */
final class Patience {
    /** Bytes a second at which an answer has to come in the long run. */
    static final long SLOWEST = 1 << 10;
    /** How many deadlines a call may take, however its bytes flow. */
    static final int MOST = 30;

    /** What has run out. */
    enum Limit {
        NONE,
        DEADLINE,
        IDLE
    }

    private final long deadline;
    private final long idle;
    private final LongSupplier clock;
    private long left;
    private long spent;
    private boolean running;
    /** When {@code left} and {@code spent} were true. */
    private long at;
    /** When the request was sent, or its answer's last bytes came. */
    private long heard;

    /** In nanoseconds, as {@code clock} counts them. */
    Patience(long deadline, long idle, LongSupplier clock) {
        this.deadline = deadline;
        this.left = deadline;
        this.idle = idle;
        this.clock = clock;
        this.at = clock.getAsLong();
    }

    /** A request is sent. */
    synchronized void sent() {
        count();
        running = true;
        heard = at;
    }

    /** The request is over, and a pause begins, whose time counts. */
    synchronized void paused() {
        count();
        running = true;
        heard = Long.MAX_VALUE;
    }

    /** The call waits for its turn. */
    synchronized void queued() {
        count();
        running = false;
    }

    /** Something has come, perhaps nothing of use. */
    synchronized void heard() {
        heard = clock.getAsLong();
    }

    /** So many bytes have come that lead to the answer's end. */
    synchronized void came(long bytes) {
        count();
        heard = at;
        left = (long) Math.min(Math.min(deadline, (double) MOST * deadline - spent), left + bytes * (1e9 / SLOWEST));
    }

    private void count() {
        long now = clock.getAsLong();
        long taken = running ? now - at : 0;
        left -= taken;
        spent += taken;
        at = now;
    }

    /** Returns how many nanoseconds there are left before the deadline, pauses included. */
    synchronized long left() {
        count();
        return left;
    }

    /** Returns after how many nanoseconds a limit comes, if nothing else does until then. */
    synchronized long next() {
        count();
        return heard == Long.MAX_VALUE ? left : Math.min(left, idle - (at - heard));
    }

    /** Returns the limit that has been reached. */
    synchronized Limit reached() {
        count();
        if (!running) {
            return Limit.NONE;
        } else if (left <= 0) {
            return Limit.DEADLINE;
        }
        return heard != Long.MAX_VALUE && at - heard >= idle ? Limit.IDLE : Limit.NONE;
    }
}
