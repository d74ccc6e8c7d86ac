package dev.shardkit.serve;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The bounded threads that answer requests, and the time limits for clients. A thread that waits for a client's socket
 * for too long is interrupted, which closes that socket. A thread is never interrupted while it reads the store,
 * because an interrupt closes files that other threads share. Thread-safe.
 */
final class Workers implements Executor, AutoCloseable {
    private static final int IDLE_SECONDS = 30;
    private static final int TICKS = 4;

    private final Patience patience;
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService clock;
    private final Set<Task> running = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Task> current = new ThreadLocal<>();

    /**
     * Limits for clients.
     *
     * @param threads the number of requests that are answered at once
     * @param headers how long a client may take to send the headers of a request, from its first byte on
     * @param writes how long a client may take to accept the next part of an answer
     */
    record Patience(int threads, Duration headers, Duration writes) {
        static final Patience DEFAULT = new Patience(64, Duration.ofSeconds(10), Duration.ofSeconds(30));
    }

    Workers(Patience patience) {
        this.patience = patience;
        this.threads = new ThreadPoolExecutor(
                patience.threads(),
                patience.threads(),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), // holds one entry for each connection at most
                daemons("shardkit-serve"));
        threads.allowCoreThreadTimeOut(true);
        this.clock = Executors.newSingleThreadScheduledExecutor(daemons("shardkit-serve-clock"));
        Duration shorter = patience.headers().compareTo(patience.writes()) < 0 ? patience.headers() : patience.writes();
        long tick = Math.max(1, shorter.toMillis() / TICKS);
        clock.scheduleAtFixedRate(this::interruptLate, tick, tick, TimeUnit.MILLISECONDS);
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
        running.forEach(task -> task.interruptIfLate(now));
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
        private long deadline;

        synchronized void waitForClient(Duration time) {
            waiting = true;
            deadline = System.nanoTime() + time.toNanos();
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

        synchronized void interruptIfLate(long now) {
            if (waiting && now - deadline >= 0) {
                thread.interrupt();
            }
        }
    }
}
