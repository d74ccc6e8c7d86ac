package dev.shardkit.serve;

import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Options of a {@link DataServer}. Start with {@link #defaults()}. Immutable; thread-safe if the listener is.
 *
 * @param host the address or name of the interface to listen on; 127.0.0.1 by default, so that only this machine can
 *     connect
 * @param port the TCP port; 0, the default, chooses a free one
 * @param origins the web origins whose pages may read the data, such as {@code https://example.org}; none by default
 * @param hostNames names that clients may use for this machine, besides {@code localhost}, {@code host} and IP
 *     addresses. Requests for other names are refused, because a web page could redirect its own name to this machine
 *     (DNS rebinding)
 * @param memory the memory in bytes that the server may use at once to read and encode elements for its page and for
 *     {@code /__v3/}: five eighths of the heap by default. Requests that exceed it wait, then get status 503; a request
 *     that alone needs more gets status 422
 * @param failures receives one line for each request that failed because of the store, and one line for each node whose
 *     elements differ from the stored ones when read; ignored by default
 */
public record ServerOptions(
        String host, int port, Set<String> origins, Set<String> hostNames, long memory, Consumer<String> failures) {
    private static final int MAX_PORT = 65535;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if the port is outside of 0 to 65535, or an origin is not of the form
     *     {@code scheme://host} or {@code scheme://host:port}, or the memory is not positive
     */
    public ServerOptions {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("expected a port from 0 to " + MAX_PORT + ", found " + port);
        }
        if (memory <= 0) {
            throw new IllegalArgumentException("expected a positive number of bytes, found " + memory);
        }
        origins = origins.stream().map(CorsPolicy::normalize).collect(Collectors.toUnmodifiableSet());
        hostNames = hostNames.stream().map(HostCheck::normalize).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the defaults: a free port of 127.0.0.1, no web origin. */
    public static ServerOptions defaults() {
        return new ServerOptions(
                "127.0.0.1", 0, Set.of(), Set.of(), Runtime.getRuntime().maxMemory() / 8 * 5, line -> {});
    }

    /** Sets the interface to listen on. */
    public ServerOptions withHost(String newValue) {
        return new ServerOptions(newValue, port, origins, hostNames, memory, failures);
    }

    /** Sets the port. */
    public ServerOptions withPort(int newValue) {
        return new ServerOptions(host, newValue, origins, hostNames, memory, failures);
    }

    /** Sets the web origins whose pages may read the data. */
    public ServerOptions withOrigins(Collection<String> newValues) {
        return new ServerOptions(host, port, Set.copyOf(newValues), hostNames, memory, failures);
    }

    /** Sets further names of this machine. */
    public ServerOptions withHostNames(Collection<String> newValues) {
        return new ServerOptions(host, port, origins, Set.copyOf(newValues), memory, failures);
    }

    /** Sets the memory in bytes that reading and encoding elements may take at once. */
    public ServerOptions withMemory(long bytes) {
        return new ServerOptions(host, port, origins, hostNames, bytes, failures);
    }

    /**
     * Sets the listener for failures of the store, and for nodes whose elements differ from the stored ones when read.
     */
    public ServerOptions withFailures(Consumer<String> listener) {
        return new ServerOptions(host, port, origins, hostNames, memory, listener);
    }
}
