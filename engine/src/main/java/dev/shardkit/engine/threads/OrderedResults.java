package dev.shardkit.engine.threads;

import java.util.HashMap;
import java.util.Map;

/**
 * Passes results to a caller's function ("uses" them) in the order of their indices, from 0 on, one at a time. A result
 * is used as soon as all results before it have been used. The thread that puts a result uses it and the results that
 * waited for it. If another thread is using results already, that thread takes over the new one, so no thread waits.
 * Thread-safe.
 */
public final class OrderedResults<T> implements AutoCloseable {
    private final Use<T> use;
    private final Map<Integer, T> waiting = new HashMap<>();
    /** The index of the next result to use. Only the thread that is using results reads or writes it. */
    private int next;
    /** Whether a thread is using results. */
    private boolean isUsing;

    private boolean closed;

    public OrderedResults(Use<T> use) {
        this.use = use;
    }

    /** A use of a result. */
    public interface Use<T> {
        void use(int index, T result);
    }

    /** Adds a result. If a use on this thread fails, throws its exception; no other result is used afterwards. */
    public void put(int index, T result) {
        synchronized (this) {
            waiting.put(index, result);
            if (isUsing) {
                return;
            }
            isUsing = true;
        }
        boolean isDone = false;
        try {
            while (useNext()) {}
            isDone = true;
        } finally {
            if (!isDone) {
                end();
            }
        }
    }

    /** Uses the next result; returns false if it does not exist yet. */
    private boolean useNext() {
        int index = next;
        T result;
        synchronized (this) {
            if (closed || !waiting.containsKey(index)) {
                isUsing = false;
                notifyAll();
                return false;
            }
            result = waiting.remove(index);
        }
        use.use(index, result);
        next = index + 1;
        return true;
    }

    /** Stops using results after a failed use. */
    private synchronized void end() {
        closed = true;
        isUsing = false;
        notifyAll();
    }

    /** Uses no other result, and waits until the last use has ended. */
    @Override
    public synchronized void close() {
        closed = true;
        boolean isInterrupted = false;
        while (isUsing) {
            try {
                wait();
            } catch (InterruptedException e) {
                isInterrupted = true; // the use ends soon
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
