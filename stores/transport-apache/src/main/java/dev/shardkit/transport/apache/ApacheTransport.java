package dev.shardkit.transport.apache;

import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends requests from two I/O threads, which never block: name look-ups and blocking calls of receivers run on separate
 * threads. Receivers consume bodies on the I/O threads. Thread-safe.
 */
final class ApacheTransport implements Transport {
    private final ExchangeThreads threads = new ExchangeThreads();
    private final Set<RunningExchange> underWay = ConcurrentHashMap.newKeySet();
    private final IdleClosedClient<ApacheClient> client;
    /** Whether choosing a proxy never blocks. */
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

    /** Removes an exchange that has ended. */
    void ended(RunningExchange running) {
        underWay.remove(running);
    }

    /**
     * Ends the exchanges of a client whose I/O threads do not work any more. The cause may be a lack of memory that
     * lasts until these exchanges end. So {@code failure} was created before, and the loop ends exchanges even while
     * the client cannot be closed yet.
     */
    private void broken(ApacheClient client, IOException failure) {
        boolean isFinished = false;
        while (!isFinished) {
            isFinished = tryClose(client);
            try {
                for (RunningExchange running : underWay) {
                    if (running.uses(client)) {
                        running.failed(failure);
                    }
                }
            } catch (OutOfMemoryError e) {
                isFinished = false; // tries again; exchanges that have ended are skipped
                Thread.onSpinWait();
            }
        }
    }

    /** Closes a client, so that no further exchange uses it; returns false if memory runs out. */
    private static boolean tryClose(ApacheClient client) {
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
