package dev.shardkit.transport.apache;

import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One running exchange: a request that was sent, its response, and the receiver of the response. It ends once: with its
 * response, with a failure or by cancellation. Thread-safe.
 */
final class RunningExchange implements Transport.Exchange, Runnable {
    /** How often a connection may close before the request is sent on it. */
    private static final int MAX_CONNECTIONS = 5;

    private final ApacheTransport transport;
    private final Transport.Receiver receiver;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable ApacheClient client;
    private volatile @Nullable Request request;
    // Made before the end, which may come because memory ran out: a lambda that is first needed then is never linked.
    private final Runnable done;
    private final Runnable failing;
    private volatile @Nullable Throwable failure;
    private @Nullable ExchangeHandler handler;
    private int connections;

    RunningExchange(ApacheTransport transport, Transport.Receiver receiver) {
        this.transport = transport;
        this.receiver = receiver;
        this.done = receiver::done;
        this.failing = () -> receiver.failed(Objects.requireNonNull(failure));
    }

    /** Creates the request and looks for a connection. */
    @Override
    public void run() {
        try {
            Request made = receiver.request();
            if (over.get()) {
                return;
            }
            request = made;
            ApacheClient used = transport.use();
            client = used;
            if (over.get()) { // the exchange may have ended before the client was set
                giveBack();
                return;
            }
            used.origin(made.uri()).lease(this);
        } catch (Throwable e) {
            failed(e);
        }
    }

    Transport.Receiver receiver() {
        return receiver;
    }

    boolean isOver() {
        return over.get();
    }

    /** Sends the request over a connection, which then belongs to this exchange. */
    void begin(Connection connection) {
        ExchangeHandler next = new ExchangeHandler(this, connection, Objects.requireNonNull(request));
        synchronized (this) {
            handler = next;
        }
        if (over.get()) {
            next.drop();
        } else {
            next.begin();
        }
    }

    /** Called if the connection closed before the request was sent. */
    void notSent(Exception cause) {
        boolean again;
        synchronized (this) {
            again = ++connections < MAX_CONNECTIONS;
        }
        if (!again) {
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
        end(done, null);
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
    private void end(@Nullable Runnable last, @Nullable Throwable thrown) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        failure = thrown;
        try {
            transport.ended(this);
            abort();
        } finally {
            leave(last);
        }
    }

    private void leave(@Nullable Runnable last) {
        try {
            giveBack();
        } finally {
            if (last == done && !mayWait()) {
                last.run();
            } else if (last != null) {
                transport.execute(last);
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
    boolean uses(ApacheClient one) {
        return client == one;
    }

    /** Calls the transport without holding a lock, because the transport calls exchanges while it holds its own. */
    private void giveBack() {
        boolean had;
        synchronized (this) {
            had = client != null;
            client = null;
        }
        if (had) {
            transport.giveBack();
        }
    }

    /** Returns a failure of the core as an {@code IOException}. */
    static IOException io(Exception failure) {
        return failure instanceof IOException e ? e : new IOException(String.valueOf(failure.getMessage()), failure);
    }
}
