package dev.shardkit.transport;

import java.net.ProxySelector;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The settings of a transport. Stores with equal settings share a transport.
 *
 * @param protocol the highest version of HTTP to use
 * @param connectTimeout the maximum time for opening a connection
 * @param proxy chooses the proxy of each URL; empty for the JVM's {@link ProxySelector#getDefault}
 * @param tls the trusted certificates and keys; empty for the JVM's {@link SSLContext#getDefault}
 */
public record TransportSettings(
        Protocol protocol, Duration connectTimeout, Optional<ProxySelector> proxy, Optional<SSLContext> tls) {
    /** Versions of HTTP. */
    public enum Protocol {
        /** HTTP/1.1 only. */
        HTTP_1_1,
        /** HTTP/2 over TLS if the server offers it, else HTTP/1.1. */
        HTTP_2
    }

    /** Creates settings with the JVM's proxy selector and TLS context. */
    public static TransportSettings of(Protocol protocol, Duration connectTimeout) {
        return new TransportSettings(protocol, connectTimeout, Optional.empty(), Optional.empty());
    }
}
