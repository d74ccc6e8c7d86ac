package dev.shardkit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Limits how many threads decode at once to about the number of cores. Otherwise many blocking callers share the cores
 * by the scheduler's rounds, and a read waits for all rounds before its own. A thread that has its turn keeps it for a
 * time slice, also over several reads, since every hand-over leaves a core idle until the next thread is awake; then
 * the thread that waited longest is next.
 *
 * <p>Correctness does not depend on turns: a thread that is interrupted, that has a turn already, or that saw nobody
 * finish for a while goes ahead without one. So code that blocks during its turn cannot stop the others. Guarded by its
 * monitor.
 */
final class DecodeTurns {
    private static final long SLICE = TimeUnit.MICROSECONDS.toNanos(800);
    /** How long a turn is kept for a thread between two units of work while others wait. */
    private static final long GRACE = TimeUnit.MICROSECONDS.toNanos(100);
    /** How often the first in the queue looks for a turn whose thread did not come back. */
    private static final long LOOK = TimeUnit.MICROSECONDS.toNanos(300);
    /** Nobody finished for so long: then those who have turns are blocked. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

    /** What one thread has of its turns. All but {@code inside} is guarded by the monitor. */
    private static final class Turn {
        private boolean inside;
        private boolean kept;
        private long keptAt;
        private long end;
    }

    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private volatile boolean first;
        private volatile boolean granted;
    }

    private final ThreadLocal<Turn> turns = ThreadLocal.withInitial(Turn::new);
    private final Deque<Waiter> queue = new ArrayDeque<>();
    /** Turns of threads that are between two units of work; the one kept longest first. */
    private final Deque<Turn> kept = new ArrayDeque<>();

    private int free;
    private volatile long progress = System.nanoTime();

    DecodeTurns(int most) {
        this.free = most;
    }

    /** Does {@code work} when it is this thread's turn. */
    <V> V take(Supplier<V> work) {
        Turn turn = turns.get();
        if (turn.inside) {
            return work.get();
        }
        boolean granted = enter(turn);
        turn.inside = true;
        try {
            return work.get();
        } finally {
            turn.inside = false;
            if (granted) {
                leave(turn);
            }
        }
    }

    private boolean enter(Turn turn) {
        Waiter me;
        synchronized (this) {
            if (turn.kept) {
                turn.kept = false;
                kept.remove(turn);
                return true;
            }
            if (free > 0) {
                free--;
                return begin(turn);
            }
            if (queue.isEmpty() && !kept.isEmpty()) {
                kept.removeFirst().kept = false;
                return begin(turn);
            }
            me = new Waiter();
            me.first = queue.isEmpty();
            queue.addLast(me);
        }
        return await(me) && begin(turn);
    }

    private static boolean begin(Turn turn) {
        turn.end = System.nanoTime() + SLICE;
        return true;
    }

    /** Whether there is a turn; if not, the thread goes ahead without one. */
    private boolean await(Waiter me) {
        long begun = System.nanoTime();
        while (!me.granted) {
            long now = System.nanoTime();
            long left = PATIENCE - (now - Math.max(begun, progress));
            if (left <= 0 || me.thread.isInterrupted()) {
                return givesUp(me);
            }
            if (me.first && takesOver(me, now)) {
                return true;
            }
            LockSupport.parkNanos(this, me.first ? Math.min(left, LOOK) : left);
        }
        return true;
    }

    private synchronized boolean givesUp(Waiter me) {
        if (queue.remove(me) && me.first) {
            next();
        }
        return me.granted; // the turn may have come just now
    }

    /** Takes the turn of a thread that did not come back. */
    private synchronized boolean takesOver(Waiter me, long now) {
        if (me.granted) {
            return true;
        }
        if (kept.isEmpty() || now - kept.getFirst().keptAt < GRACE) {
            return false;
        }
        kept.removeFirst().kept = false;
        queue.removeFirst();
        next();
        return true;
    }

    private synchronized void leave(Turn turn) {
        long now = System.nanoTime();
        progress = now;
        if (queue.isEmpty()) {
            free++;
        } else if (now < turn.end) {
            turn.kept = true;
            turn.keptAt = now;
            kept.addLast(turn);
        } else {
            Waiter waiter = queue.removeFirst();
            waiter.granted = true;
            LockSupport.unpark(waiter.thread);
            next();
        }
    }

    /** Tells the waiter who is first now. */
    private void next() {
        Optional.ofNullable(queue.peekFirst()).ifPresent(waiter -> {
            waiter.first = true;
            LockSupport.unpark(waiter.thread);
        });
    }

    /** How many turns are not in use; for tests. */
    synchronized int free() {
        return free + kept.size();
    }
}
