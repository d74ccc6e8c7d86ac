package dev.shardkit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The turns of {@link Turns} that have ended and whose futures may not be completed yet. Guarded by its monitor. */
final class EndedTurns {
    private final Workers workers;
    private final Deque<Turn<?>> ended = new ArrayDeque<>();

    /** Creates an empty collection; futures with callers' code may be completed on threads of {@code workers}. */
    EndedTurns(Workers workers) {
        this.workers = workers;
    }

    synchronized void add(Turn<?> turn) {
        ended.add(turn);
    }

    /**
     * Completes futures, including those that other threads are about to complete: a caller finds all earlier calls
     * done. If callers' code here waits for a later one, another thread can complete that.
     */
    void complete() {
        try {
            completeAll();
        } catch (Throwable e) {
            // memory ran out: the futures are completed without any more
            for (Turn<?> next = poll(); next != null; next = poll()) {
                next.publish();
            }
        }
    }

    private synchronized @Nullable Turn<?> poll() {
        return ended.poll();
    }

    private void completeAll() {
        List<Turn<?>> all;
        synchronized (this) {
            all = List.copyOf(ended);
        }
        all.stream().filter(turn -> !turn.hasCallbacks()).forEach(Turn::publish);
        all.stream().filter(turn -> !turn.isDone()).skip(1).forEach(turn -> {
            try {
                workers.calls().execute(turn::publish);
            } catch (Throwable e) {
                // then this thread completes them
                Failures.log(System.Logger.Level.DEBUG, "an executor rejected a task", e);
            }
        });
        all.forEach(Turn::publish);
        synchronized (this) {
            all.forEach(ended::remove);
        }
    }
}
