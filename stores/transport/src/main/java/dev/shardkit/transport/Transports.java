package dev.shardkit.transport;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Finds HTTP clients, and keeps the open transports of the process. Stores with the same provider and settings share
 * one transport with its threads and connections. Closing the last of these stores closes the transport. Thread-safe.
 */
public final class Transports {
    private static final String APACHE = "apache";
    /** The open transports. Guarded by its own monitor. */
    private static final Map<Key, Shared> OPEN = new HashMap<>();

    private Transports() {}

    /** A store's share in a transport. */
    public interface Lease extends AutoCloseable {
        /** Returns the transport. */
        Transport transport();

        /** Releases the share; the store must not use the transport any longer. Idempotent. */
        @Override
        void close();
    }

    private record Key(Class<?> provider, String name, TransportSettings settings) {}

    /** A transport, and the number of stores that share it. */
    private static final class Shared {
        private final Transport transport;
        private int leases;

        Shared(Transport transport) {
            this.transport = transport;
        }
    }

    /** A class of its own, so that the providers are looked up at the first use only. */
    private static final class Providers {
        static final List<TransportProvider> FOUND =
                ServiceLoader.load(TransportProvider.class, Transports.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }

    /**
     * Returns the provider that stores use. Another client is preferred to Apache's; of several, the first by name.
     *
     * @throws IllegalStateException if there is no provider
     */
    public static TransportProvider standard() {
        return choose(Providers.FOUND);
    }

    static TransportProvider choose(List<TransportProvider> providers) {
        return providers.stream()
                .min(Comparator.comparing(
                                (TransportProvider provider) -> provider.name().equals(APACHE))
                        .thenComparing(TransportProvider::name))
                .orElseThrow(() -> new IllegalStateException(
                        "expected an HTTP client on the class path, found none; add shardkit-transport-apache"));
    }

    /** Returns a share in the transport of this provider with these settings. Creates the transport if necessary. */
    public static Lease shared(TransportProvider provider, TransportSettings settings) {
        Key key = new Key(provider.getClass(), provider.name(), settings);
        synchronized (OPEN) {
            Shared shared = OPEN.computeIfAbsent(key, absent -> new Shared(provider.open(settings)));
            shared.leases++;
            return lease(shared.transport, () -> leave(key, shared));
        }
    }

    private static void leave(Key key, Shared shared) {
        synchronized (OPEN) {
            if (--shared.leases > 0) {
                return;
            }
            OPEN.remove(key);
        }
        shared.transport.close();
    }

    private static Lease lease(Transport transport, Runnable onClose) {
        AtomicBoolean ended = new AtomicBoolean();
        return new Lease() {
            @Override
            public Transport transport() {
                return transport;
            }

            @Override
            public void close() {
                if (ended.compareAndSet(false, true)) {
                    onClose.run();
                }
            }
        };
    }
}
