package dev.shardkit.store.remote.exchange;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Describes in words why a connection failed. The HTTP clients wrap the same failures in different exceptions.
 * Stateless.
 */
final class ConnectionFailureText {
    private static final int DEPTH = 20;

    private ConnectionFailureText() {}

    /** Returns the reason of a failure; empty if the failure is none of the usual ones of a connection. */
    static Optional<String> of(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < DEPTH; t = t.getCause(), depth++) {
            if (t instanceof UnknownHostException) {
                return Optional.of("host not found: " + t.getMessage());
            } else if (t instanceof UnresolvedAddressException) {
                return Optional.of("host not found");
            } else if (t instanceof SSLException) {
                return Optional.of("TLS failed: " + t.getMessage());
            } else if (t instanceof ConnectException
                    && String.valueOf(t.getMessage()).contains("refused")) {
                return Optional.of("connection refused");
            }
        }
        return Optional.empty();
    }
}
