package dev.shardkit.transport.apache;

import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One exchange: a request, its response, and the receiver of the response. It ends once: with its response, with a
 * failure or by cancellation. If a connection closes before the request is sent, the exchange moves to another one.
 * Thread-safe.
 */
final class RunningExchange implements Transport.Exchange, Runnable {
    /** The number of connections that may close before the request is sent; then the exchange fails. */
    private static final int MAX_CONNECTIONS = 5;

    private final ApacheTransport transport;
    private final Transport.Receiver receiver;
    private final AtomicBoolean isOver = new AtomicBoolean();
    /** The client that this exchange uses; null before and after its use. */
    private volatile @Nullable ApacheClient client;

    private volatile @Nullable Request request;
    // Created before the end. If the exchange ends because memory ran out, the JVM could not link a new lambda.
    private final Runnable onDone;
    private final Runnable failing;
    private volatile @Nullable Throwable failure;
    /** The handler of the current connection. Guarded by this object. */
    private @Nullable ExchangeHandler handler;

    /** The number of connections that closed before the request was sent. Guarded by this object. */
    private int connections;

    RunningExchange(ApacheTransport transport, Transport.Receiver receiver) {
        this.transport = transport;
        this.receiver = receiver;
        this.onDone = receiver::done;
        this.failing = () -> receiver.failed(Objects.requireNonNull(failure));
    }

    /** Creates the request and looks for a connection. */
    @Override
    public void run() {
        try {
            Request created = receiver.request();
            if (isOver.get()) {
                return;
            }
            request = created;
            ApacheClient apacheClient = transport.use();
            client = apacheClient;
            if (isOver.get()) { // the exchange may have ended before the client was set
                giveBack();
                return;
            }
            apacheClient.origin(created.uri()).lease(this);
        } catch (Throwable e) {
            failed(e);
        }
    }

    Transport.Receiver receiver() {
        return receiver;
    }

    boolean isOver() {
        return isOver.get();
    }

    /** Sends the request over a connection, which then belongs to this exchange. */
    void begin(Connection connection) {
        ExchangeHandler next = new ExchangeHandler(this, connection, Objects.requireNonNull(request));
        synchronized (this) {
            handler = next;
        }
        if (isOver.get()) {
            next.release();
        } else {
            next.begin();
        }
    }

    /** Called if the connection closed before the request was sent. */
    void notSent(Exception cause) {
        boolean retry;
        synchronized (this) {
            retry = ++connections < MAX_CONNECTIONS;
        }
        if (!retry) {
            failed(cause);
            return;
        }
        try {
            Objects.requireNonNull(client)
                    .origin(Objects.requireNonNull(request).uri())
                    .lease(this);
        } catch (Throwable e) {
            failed(e);
        }
    }

    void done() {
        end(onDone, null);
    }

    /**
     * Ends the exchange with a failure, and allocates nothing for that. Protocol errors become {@code IOException}s,
     * which stores retry.
     */
    void failed(Throwable thrown) {
        end(failing, thrown);
    }

    @Override
    public void cancel() {
        end(null, null);
    }

    /** Calls the receiver for the last time, on a separate thread if the receiver may block. */
    private void end(@Nullable Runnable lastAction, @Nullable Throwable thrown) {
        if (!isOver.compareAndSet(false, true)) {
            return;
        }
        failure = thrown;
        try {
            transport.ended(this);
            abort();
        } finally {
            leave(lastAction);
        }
    }

    /** Releases the client, and then makes the last call of the receiver. */
    private void leave(@Nullable Runnable lastAction) {
        try {
            giveBack();
        } finally {
            if (lastAction == onDone && !mayWait()) {
                lastAction.run();
            } else if (lastAction != null) {
                transport.execute(lastAction);
            }
        }
    }

    private boolean mayWait() {
        try {
            return receiver.doneMayWait();
        } catch (Throwable e) {
            return true; // the receiver still needs its last call, so another thread makes it
        }
    }

    /** Stops the handler of the current connection, if its response is not complete. */
    private void abort() {
        ExchangeHandler running;
        synchronized (this) {
            running = handler;
        }
        if (running != null) {
            running.abort();
        }
    }

    /** Returns whether the exchange uses a client. */
    boolean uses(ApacheClient other) {
        return client == other;
    }

    /**
     * Releases the client. Calls the transport without holding a lock, because the transport calls exchanges while it
     * holds its own lock.
     */
    private void giveBack() {
        boolean hadClient;
        synchronized (this) {
            hadClient = client != null;
            client = null;
        }
        if (hadClient) {
            transport.giveBack();
        }
    }

    /** Returns a failure of the core as an {@code IOException}. */
    static IOException io(Exception failure) {
        return failure instanceof IOException e ? e : new IOException(String.valueOf(failure.getMessage()), failure);
    }
}
