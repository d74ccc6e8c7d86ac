package dev.shardkit.transport.apache;

import dev.shardkit.transport.TransportSettings;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http2.ssl.H2ClientTlsStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Creates and keeps the TLS strategy of a transport, with its trusted certificates. It is created for the first secure
 * connection only, because loading the JVM's certificates takes longer than many requests, and plain HTTP needs none.
 * Thread-safe.
 */
final class Tls {
    private final TransportSettings settings;
    private volatile @Nullable TlsStrategy strategy;

    Tls(TransportSettings settings) {
        this.settings = settings;
    }

    /** Creates the TLS strategy on first use. May block. */
    synchronized void load() throws IOException {
        if (strategy == null) {
            strategy = new H2ClientTlsStrategy(context());
        }
    }

    private SSLContext context() throws IOException {
        try {
            return settings.tls().isPresent() ? settings.tls().get() : SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IOException(
                    "TLS could not be set up, because the JVM's certificates could not be loaded: " + e.getMessage()
                            + "; check javax.net.ssl.trustStore",
                    e);
        }
    }

    /** Returns the TLS strategy; {@link #load} must have been called before. */
    TlsStrategy loaded() {
        return Objects.requireNonNull(strategy);
    }
}
