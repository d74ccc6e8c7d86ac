package dev.shardkit.transport.apache;

import dev.shardkit.transport.TransportSettings;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the proxy of each URL, as the JDK's HTTP client does: the selector's first proposal if it is an HTTP proxy,
 * otherwise none.
 *
 * @param selector proposes proxies; empty for direct connections
 */
record Proxies(Optional<ProxySelector> selector) {
    static Proxies of(TransportSettings settings) {
        return new Proxies(settings.proxy().or(Proxies::standard));
    }

    private static Optional<ProxySelector> standard() {
        return Optional.ofNullable(ProxySelector.getDefault());
    }

    /** Returns whether the choice never blocks, which is certain only for the JDK's own selector. */
    static boolean quick(TransportSettings settings) {
        return settings.proxy().isEmpty()
                && standard().stream()
                        .allMatch(selector -> selector.getClass().getModule() == ProxySelector.class.getModule());
    }

    Optional<InetSocketAddress> select(URI uri) {
        List<Proxy> proposed = selector.isPresent() ? selector.get().select(uri) : List.of();
        return !proposed.isEmpty()
                        && proposed.get(0).type() == Proxy.Type.HTTP
                        && proposed.get(0).address() instanceof InetSocketAddress address
                ? Optional.of(address)
                : Optional.empty();
    }
}
