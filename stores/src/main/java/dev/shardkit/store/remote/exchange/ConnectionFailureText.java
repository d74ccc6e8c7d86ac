package dev.shardkit.store.remote.exchange;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Describes in words why a connection failed. Looks through the causes of an exception, because HTTP clients wrap the
 * same failure in different exceptions. Stateless.
 */
final class ConnectionFailureText {
    /** The maximum number of causes to look at; causes may form a cycle. */
    private static final int DEPTH = 20;

    private ConnectionFailureText() {}

    /** Returns the reason of a failure; empty if it is not one of the usual failures of connections. */
    static Optional<String> of(Throwable failure) {
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < DEPTH; cause = cause.getCause(), depth++) {
            if (cause instanceof UnknownHostException) {
                return Optional.of("host not found: " + cause.getMessage());
            } else if (cause instanceof UnresolvedAddressException) {
                return Optional.of("host not found");
            } else if (cause instanceof SSLException) {
                return Optional.of("TLS failed: " + cause.getMessage());
            } else if (cause instanceof ConnectException
                    && String.valueOf(cause.getMessage()).contains("refused")) {
                return Optional.of("connection refused");
            }
        }
        return Optional.empty();
    }
}
