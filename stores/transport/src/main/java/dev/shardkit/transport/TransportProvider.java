package dev.shardkit.transport;

/**
 * Creates transports over one HTTP client library. {@link Transports} finds providers by
 * {@link java.util.ServiceLoader}.
 */
public interface TransportProvider {
    /** Returns the name of the client, such as {@code apache}. */
    String name();

    /** Creates a transport. It sends nothing and uses no thread or connection until its first exchange. */
    Transport open(TransportSettings settings);
}
