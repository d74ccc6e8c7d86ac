package dev.shardkit.transport.apache;

import dev.shardkit.transport.timer.TimerThread;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds a client that is created for the first exchange and closed when it has been idle for a while; the next exchange
 * creates another one. So even a store that is never closed does not keep threads and sockets for long. Thread-safe.
 *
 * @param <C> the type of client
 */
final class IdleClosedClient<C> {
    /** Creates clients. */
    @FunctionalInterface
    interface Maker<C> {
        /** Creates a client. Throws if no file descriptor or thread is available. */
        C make() throws IOException;
    }

    private static final long IDLE_NANOS = Duration.ofSeconds(30).toNanos();

    private final Maker<C> maker;
    private final Consumer<C> closer;
    private final Predicate<C> alive;
    private volatile @Nullable C client;
    /**
     * The only scheduled check; null if there is none. A check for each exchange would often wake the timer's thread.
     */
    private TimerThread.@Nullable Due nextCheck;

    /** The time of {@link System#nanoTime} at which the last exchange ended. */
    private long idleSince;
    /** The number of running exchanges. */
    private int users;

    private boolean closed;

    /**
     * Creates a holder without a client.
     *
     * @param maker creates a client
     * @param closer closes a client without blocking
     * @param alive returns whether a client still works; if not, it is replaced
     */
    IdleClosedClient(Maker<C> maker, Consumer<C> closer, Predicate<C> alive) {
        this.maker = maker;
        this.closer = closer;
        this.alive = alive;
    }

    /** Returns whether {@link #use} would return an existing client. */
    boolean isOpen() {
        return client != null;
    }

    /**
     * Returns the client for one exchange. The caller must call {@link #giveBack} once.
     *
     * @throws IOException after {@link #close}, because another client would never be closed
     */
    synchronized C use() throws IOException {
        if (closed) {
            throw new IOException("the transport was closed");
        }
        C current = client;
        if (current != null && !alive.test(current)) {
            closeClient();
            current = null;
        }
        if (current == null) {
            current = maker.make();
            client = current;
        }
        users++;
        return current;
    }

    /** Releases the client after an exchange. */
    synchronized void giveBack() {
        if (--users == 0 && !closed) {
            idleSince = System.nanoTime();
            if (nextCheck == null) {
                nextCheck = TimerThread.after(IDLE_NANOS, this::closeIfIdle);
            }
        }
    }

    /** Closes the client if it has been idle long enough, else checks again later. */
    private synchronized void closeIfIdle() {
        nextCheck = null;
        if (users > 0) {
            return;
        }
        long remaining = IDLE_NANOS - (System.nanoTime() - idleSince);
        if (remaining > 0) {
            nextCheck = TimerThread.after(remaining, this::closeIfIdle);
        } else {
            closeClient();
        }
    }

    /** Closes the client, if there is one, and creates no other one. Running exchanges fail. */
    synchronized void close() {
        closed = true;
        if (nextCheck != null) {
            nextCheck.cancel();
            nextCheck = null;
        }
        closeClient();
    }

    private void closeClient() {
        C current = client;
        if (current != null) {
            closer.accept(current);
            client = null;
        }
    }
}
