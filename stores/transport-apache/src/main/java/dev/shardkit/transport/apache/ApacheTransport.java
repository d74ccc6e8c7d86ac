package dev.shardkit.transport.apache;

import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends requests from two I/O threads, which never block: name look-ups and blocking calls of receivers run on separate
 * threads. Receivers consume bodies on the I/O threads.
 */
final class ApacheTransport implements Transport {
    private final ExchangeThreads threads = new ExchangeThreads();
    private final Set<RunningExchange> underWay = ConcurrentHashMap.newKeySet();
    private final IdleClosedClient<ApacheClient> client;
    private final boolean quickProxies;
    private volatile boolean closed;

    ApacheTransport(TransportSettings settings) {
        this.client = new IdleClosedClient<>(
                () -> new ApacheClient(settings, threads, this::broken), ApacheClient::close, ApacheClient::alive);
        this.quickProxies = Proxies.quick(settings);
    }

    @Override
    public Exchange send(Receiver receiver) {
        RunningExchange running = new RunningExchange(this, receiver);
        underWay.add(running);
        if (!closed && quickProxies && !receiver.requestMayWait() && client.isOpen()) {
            running.run();
            return running;
        }
        try {
            threads.begin(running);
        } catch (RuntimeException | Error e) { // closed, or no memory for a thread
            underWay.remove(running);
            throw e;
        }
        return running;
    }

    /** Returns the client for one exchange. */
    ApacheClient use() throws IOException {
        return client.use();
    }

    /** Releases the client after an exchange. */
    void giveBack() {
        client.giveBack();
    }

    /** An exchange has ended. */
    void ended(RunningExchange running) {
        underWay.remove(running);
    }

    /**
     * Ends the exchanges of a client whose I/O threads do not work any more. Memory may have run out until these
     * exchanges end: so {@code failure} was made before, and a client that cannot be closed yet does not keep them.
     */
    private void broken(ApacheClient client, IOException failure) {
        boolean isBroken = false;
        while (!isBroken) {
            isBroken = isClosed(client);
            try {
                for (RunningExchange running : underWay) {
                    if (running.uses(client)) {
                        running.failed(failure);
                    }
                }
            } catch (OutOfMemoryError e) {
                isBroken = false; // exchanges that have ended are passed over
                Thread.onSpinWait();
            }
        }
    }

    /** Closes a client, so that no further exchange uses it; returns false if memory runs out. */
    private static boolean isClosed(ApacheClient client) {
        try {
            client.close();
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    @Override
    public void close() {
        closed = true;
        client.close();
        IOException failure = new IOException("the transport was closed");
        underWay.forEach(running -> running.failed(failure));
        threads.close();
    }
}
