package dev.shardkit.transport.apache;

import dev.shardkit.transport.internal.TimerThread;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client that shardkit creates for the first exchange, and closes when it is idle for a while. The next exchange
 * creates another one. A store that is never closed therefore holds no threads and sockets for long. Thread-safe.
 *
 * @param <C> the type of client
 */
final class OwnClient<C> {
    /** Creates clients. */
    @FunctionalInterface
    interface Maker<C> {
        /** Creates a client. Throws if no file descriptor or thread is available. */
        C make() throws IOException;
    }

    private static final long IDLE_NANOS = Duration.ofSeconds(30).toNanos();

    private final Maker<C> maker;
    private final Consumer<C> ender;
    private final Predicate<C> alive;
    private volatile @Nullable C open;
    private TimerThread.@Nullable Due nextCheck;
    private long idleSince;
    private int users;
    private boolean closed;

    /**
     * Uses clients that {@code maker} creates and {@code ender} closes without blocking. Replaces a client that is no
     * longer {@code alive}.
     */
    OwnClient(Maker<C> maker, Consumer<C> ender, Predicate<C> alive) {
        this.maker = maker;
        this.ender = ender;
        this.alive = alive;
    }

    /** Returns whether {@link #use} would return an existing client. */
    boolean isOpen() {
        return open != null;
    }

    /**
     * Returns the client for one exchange. The caller must call {@link #giveBack} once.
     *
     * @throws IOException after {@link #close}: nobody would close another client
     */
    synchronized C use() throws IOException {
        if (closed) {
            throw new IOException("the transport was closed");
        }
        C client = open;
        if (client != null && !alive.test(client)) {
            end();
            client = null;
        }
        if (client == null) {
            client = maker.make();
            open = client;
        }
        users++;
        return client;
    }

    /** Releases the client after an exchange. */
    synchronized void giveBack() {
        if (--users == 0 && !closed) {
            idleSince = System.nanoTime();
            if (nextCheck == null) {
                nextCheck = TimerThread.after(IDLE_NANOS, this::endIfIdle);
            }
        }
    }

    /** Schedules one check at a time. One for each exchange would wake the timer's thread each time. */
    private synchronized void endIfIdle() {
        nextCheck = null;
        if (users > 0) {
            return;
        }
        long remaining = IDLE_NANOS - (System.nanoTime() - idleSince);
        if (remaining > 0) {
            nextCheck = TimerThread.after(remaining, this::endIfIdle);
        } else {
            end();
        }
    }

    /** Closes the client, if there is one, for good. Running exchanges fail. */
    synchronized void close() {
        closed = true;
        if (nextCheck != null) {
            nextCheck.cancel();
            nextCheck = null;
        }
        end();
    }

    private void end() {
        C client = open;
        if (client != null) {
            ender.accept(client);
            open = null;
        }
    }
}
