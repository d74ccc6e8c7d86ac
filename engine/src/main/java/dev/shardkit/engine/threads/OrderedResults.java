package dev.shardkit.engine.threads;

import java.util.HashMap;
import java.util.Map;

/**
 * Passes on results in the order of their indices, from 0 on: each as soon as it and those before it exist, one at a
 * time. The thread that brings a result uses it, and those that have waited for it, unless another thread does that
 * already; so no thread waits. Thread-safe.
 */
public final class OrderedResults<T> implements AutoCloseable {
    private final Use<T> use;
    private final Map<Integer, T> waiting = new HashMap<>();
    private int next;
    private boolean isUsed;
    private boolean closed;

    public OrderedResults(Use<T> use) {
        this.use = use;
    }

    /** A use of a result. */
    public interface Use<T> {
        void use(int index, T result);
    }

    /** Brings a result. If a use fails, this throws its exception, and no other result is used. */
    public void put(int index, T result) {
        synchronized (this) {
            waiting.put(index, result);
            if (isUsed) {
                return;
            }
            isUsed = true;
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
                isUsed = false;
                notifyAll();
                return false;
            }
            result = waiting.remove(index);
        }
        use.use(index, result);
        next = index + 1;
        return true;
    }

    private synchronized void end() {
        closed = true;
        isUsed = false;
        notifyAll();
    }

    /** Uses no other result, and waits until the last use has ended. */
    @Override
    public synchronized void close() {
        closed = true;
        boolean isInterrupted = false;
        while (isUsed) {
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
