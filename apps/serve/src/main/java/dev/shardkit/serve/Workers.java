package dev.shardkit.serve;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The bounded threads that answer requests, and the time limits for clients. A thread that waits for a client's socket
 * for too long is interrupted, which closes that socket. While connections wait for a thread, the limits are short:
 * otherwise a few hundred clients that never finish their requests would keep all others out. A thread is never
 * interrupted while it reads the store, because an interrupt closes files that other threads share. Thread-safe.
 */
final class Workers implements Executor, AutoCloseable {
    private static final int IDLE_SECONDS = 30;
    private static final long TICK_MILLIS = 50;

    private final Patience patience;
    private final WaitingConnections waitingConnections = new WaitingConnections();
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService clock;
    private final Set<Task> running = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Task> current = new ThreadLocal<>();

    /**
     * Limits for clients.
     *
     * @param threads the number of requests that are read or answered at once
     * @param headers how long a client may take to send the headers of a request, from its first byte on
     * @param writes how long a client may take to accept the next part of an answer
     */
    record Patience(int threads, Limit headers, Limit writes) {
        static final Patience DEFAULT = new Patience(
                256,
                new Limit(Duration.ofSeconds(10), Duration.ofMillis(100)),
                new Limit(Duration.ofSeconds(30), Duration.ofSeconds(1)));
    }

    /**
     * A time limit.
     *
     * @param usual the limit while there are free threads
     * @param crowded the limit while connections wait for a thread
     */
    record Limit(Duration usual, Duration crowded) {}

    Workers(Patience patience) {
        this.patience = patience;
        this.threads = new ThreadPoolExecutor(
                0,
                patience.threads(),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                waitingConnections,
                daemons("shardkit-serve"),
                (connection, pool) -> waitingConnections.put(connection));
        this.clock = Executors.newSingleThreadScheduledExecutor(daemons("shardkit-serve-clock"));
        clock.scheduleAtFixedRate(this::interruptLate, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs the exchange of one connection. It begins by reading the headers of the request. */
    @Override
    public void execute(Runnable exchange) {
        threads.execute(() -> {
            Task task = new Task();
            current.set(task);
            running.add(task);
            try {
                task.waitForClient(patience.headers());
                exchange.run();
            } finally {
                running.remove(task);
                current.remove();
                task.end();
            }
        });
    }

    /** Marks that the headers of the request have arrived, so that the client's time is no longer counted. */
    void received() throws InterruptedIOException {
        current.get().stopWaiting();
    }

    /** Runs a call that waits for the client's socket. */
    void toClient(SocketCall call) throws ClientGone {
        Task task = current.get();
        task.waitForClient(patience.writes());
        try {
            call.run();
            task.stopWaiting();
        } catch (IOException e) {
            task.end();
            throw new ClientGone(e);
        }
    }

    private void interruptLate() {
        long now = System.nanoTime();
        boolean isCrowded = !waitingConnections.isEmpty();
        running.forEach(task -> task.interruptIfLate(now, isCrowded));
    }

    /** Returns the number of requests that are being read or answered. */
    int busy() {
        return running.size();
    }

    /** Takes no new requests. The sockets are closed before, so running requests end as soon as the store answers. */
    @Override
    public void close() {
        clock.shutdownNow();
        threads.shutdown();
    }

    /**
     * Connections that wait for a thread; each is here once at most. {@code offer} accepts a connection only if a
     * thread is idle: otherwise the pool starts a thread, and calls {@code put} if it may not.
     */
    private static final class WaitingConnections extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable connection) {
            return tryTransfer(connection);
        }
    }

    /** A call that reads or writes the client's socket. */
    interface SocketCall {
        void run() throws IOException;
    }

    /** The client has closed the connection, or was too slow. */
    static final class ClientGone extends IOException {
        private static final long serialVersionUID = 1;

        ClientGone(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** One exchange on its thread. */
    private static final class Task {
        private final Thread thread = Thread.currentThread();
        private boolean waiting;
        private long since;
        private Limit limit = Patience.DEFAULT.headers();

        synchronized void waitForClient(Limit most) {
            waiting = true;
            since = System.nanoTime();
            limit = most;
        }

        /** Clears an interrupt that came too late to have an effect on the socket. */
        synchronized void stopWaiting() throws InterruptedIOException {
            waiting = false;
            if (Thread.interrupted()) {
                throw new InterruptedIOException("the client was too slow");
            }
        }

        synchronized void end() {
            waiting = false;
            Thread.interrupted();
        }

        synchronized void interruptIfLate(long now, boolean isCrowded) {
            Duration most = isCrowded ? limit.crowded() : limit.usual();
            if (waiting && now - since >= most.toNanos()) {
                thread.interrupt();
            }
        }
    }
}
