package dev.shardkit.transport;

/**
 * Makes transports over one kind of HTTP client. {@link Transports} finds providers by {@link java.util.ServiceLoader}.
 */
public interface TransportProvider {
    /** Returns the name of the client, such as {@code jdk}. */
    String name();

    /** Makes a transport. It sends nothing and holds no thread or connection before its first exchange. */
    Transport open(TransportSettings settings);
}
