package dev.shardkit.store.http;

import java.net.http.HttpClient;
import java.util.HashMap;
import java.util.Map;

/** The transports of the process: stores with the same settings share one, and the last to be closed closes it. */
final class Transports {
    private static final Map<OwnJdkClient.Settings, Shared> OPEN = new HashMap<>();

    private Transports() {}

    /** A store's part in a transport. */
    interface Lease {
        Transport transport();

        /** Ends the part; the store uses the transport no more. To be called once. */
        void close();
    }

    private static final class Shared {
        private final Transport transport;
        private int stores;

        Shared(Transport transport) {
            this.transport = transport;
        }
    }

    /** A part in the one transport with these settings. */
    static Lease shared(OwnJdkClient.Settings settings) {
        synchronized (OPEN) {
            Shared shared = OPEN.computeIfAbsent(settings, s -> new Shared(own(s)));
            shared.stores++;
            return lease(shared.transport, () -> leave(settings, shared));
        }
    }

    private static Transport own(OwnJdkClient.Settings settings) {
        HttpThreads threads = new HttpThreads();
        return new JdkTransport(threads, new OwnJdkClient(settings, threads));
    }

    private static void leave(OwnJdkClient.Settings settings, Shared shared) {
        synchronized (OPEN) {
            if (--shared.stores > 0) {
                return;
            }
            OPEN.remove(settings);
        }
        shared.transport.close();
    }

    /** A transport over a caller's client, which stays open. */
    static Lease over(HttpClient client) {
        Transport transport = new JdkTransport(new HttpThreads(), JdkClient.of(client));
        return lease(transport, transport::close);
    }

    private static Lease lease(Transport transport, Runnable close) {
        return new Lease() {
            @Override
            public Transport transport() {
                return transport;
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }
}
