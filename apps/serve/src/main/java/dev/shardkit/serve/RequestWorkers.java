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
 * A bounded pool of threads that handle requests, with time limits for clients. A thread that waits too long for a
 * client's socket is interrupted, which closes that socket. The limits become short while connections wait for a
 * thread; otherwise, a few hundred clients that never finish their requests would block all others. A thread is never
 * interrupted while it reads the store, because an interrupt closes files that other threads share. Thread-safe.
 */
final class RequestWorkers implements Executor, AutoCloseable {
    /** How long an idle thread is kept. */
    private static final int IDLE_SECONDS = 30;
    /** How often the time limits are checked. */
    private static final long TICK_MILLIS = 50;

    private final ClientLimits clientLimits;
    private final WaitingConnections waitingConnections = new WaitingConnections();
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService timer;
    /** The requests that are being handled. */
    private final Set<RequestTask> running = ConcurrentHashMap.newKeySet();
    /** The request that the current thread handles. */
    private final ThreadLocal<RequestTask> current = new ThreadLocal<>();

    /**
     * Limits for clients.
     *
     * @param threads the maximum number of requests that are handled at once
     * @param headers how long a client may take to send the headers of a request, from their first byte on
     * @param writes how long a client may take to accept the next part of a response
     */
    record ClientLimits(int threads, Limit headers, Limit writes) {
        static final ClientLimits DEFAULT = new ClientLimits(
                256,
                new Limit(Duration.ofSeconds(10), Duration.ofMillis(100)),
                new Limit(Duration.ofSeconds(30), Duration.ofSeconds(1)));
    }

    /**
     * A time limit.
     *
     * @param normal the limit while there are free threads
     * @param underLoad the limit while connections wait for a thread
     */
    record Limit(Duration normal, Duration underLoad) {}

    RequestWorkers(ClientLimits clientLimits) {
        this.clientLimits = clientLimits;
        this.threads = new ThreadPoolExecutor(
                0,
                clientLimits.threads(),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                waitingConnections,
                daemonFactory("shardkit-serve"),
                (connection, pool) -> waitingConnections.put(connection));
        this.timer = Executors.newSingleThreadScheduledExecutor(daemonFactory("shardkit-serve-clock"));
        timer.scheduleAtFixedRate(this::interruptSlowClients, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory daemonFactory(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Handles one request of a connection. The JDK's server passes a task that first reads the headers of the request.
     */
    @Override
    public void execute(Runnable exchange) {
        threads.execute(() -> {
            RequestTask task = new RequestTask();
            current.set(task);
            running.add(task);
            try {
                task.waitForClient(clientLimits.headers());
                exchange.run();
            } finally {
                running.remove(task);
                current.remove();
                task.finish();
            }
        });
    }

    /** Ends the time limit for the headers of the request. Called when the headers have arrived. */
    void headersReceived() throws InterruptedIOException {
        current.get().stopWaiting();
    }

    /** Runs a call that waits for the client's socket, with the time limit for responses. */
    void runClientCall(SocketCall call) throws ClientDisconnected {
        RequestTask task = current.get();
        task.waitForClient(clientLimits.writes());
        try {
            call.run();
            task.stopWaiting();
        } catch (IOException e) {
            task.finish();
            throw new ClientDisconnected(e);
        }
    }

    private void interruptSlowClients() {
        long now = System.nanoTime();
        boolean isUnderLoad = !waitingConnections.isEmpty();
        running.forEach(task -> task.interruptIfLate(now, isUnderLoad));
    }

    /** Returns the number of requests in progress. */
    int activeRequests() {
        return running.size();
    }

    /**
     * Accepts no new requests. The server closes all sockets before, so running requests end as soon as the store
     * returns.
     */
    @Override
    public void close() {
        timer.shutdownNow();
        threads.shutdown();
    }

    /**
     * The queue of connections that wait for a thread. A {@link ThreadPoolExecutor} starts a new thread only if
     * {@code offer} refuses a task, so {@code offer} accepts a connection only if a thread is idle. If the pool has the
     * maximum number of threads, it calls {@code put}, which queues the connection.
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

    /** Thrown if the client has closed the connection or was too slow. */
    static final class ClientDisconnected extends IOException {
        private static final long serialVersionUID = 1;

        ClientDisconnected(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** One request and the thread that handles it. */
    private static final class RequestTask {
        private final Thread thread = Thread.currentThread();
        /** Whether the thread waits for the client's socket. Only then may it be interrupted. */
        private boolean isWaiting;

        private long waitStart;
        private Limit limit = ClientLimits.DEFAULT.headers();

        synchronized void waitForClient(Limit maximum) {
            isWaiting = true;
            waitStart = System.nanoTime();
            limit = maximum;
        }

        /** Ends a wait. Throws if the thread was interrupted meanwhile, even if the call on the socket succeeded. */
        synchronized void stopWaiting() throws InterruptedIOException {
            isWaiting = false;
            if (Thread.interrupted()) {
                throw new InterruptedIOException("the client was too slow");
            }
        }

        /** Ends a wait and clears an interrupt, so that the thread can do other work. */
        synchronized void finish() {
            isWaiting = false;
            Thread.interrupted();
        }

        synchronized void interruptIfLate(long now, boolean isUnderLoad) {
            Duration maximum = isUnderLoad ? limit.underLoad() : limit.normal();
            if (isWaiting && now - waitStart >= maximum.toNanos()) {
                thread.interrupt();
            }
        }
    }
}
