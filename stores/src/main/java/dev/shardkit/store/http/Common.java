package dev.shardkit.store.http;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The state that all calls of one store share. Thread-safe. */
final class Common {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.http");

    /**
     * The settings from the builder.
     *
     * @param supplied whether headers or the token come from suppliers of the caller, which may wait
     */
    record Settings(
            Duration deadline,
            Duration idle,
            RetryPolicy retries,
            long largestObject,
            Supplier<Map<String, String>> headers,
            Supplier<String> token,
            boolean supplied,
            EtagUse etags) {}

    /** A request, and its secrets, which messages must not contain. */
    record Prepared(Request request, Set<String> secrets) {}

    private final Endpoint endpoint;
    private final Transport transport;
    private final Settings settings;
    private final Permits permits;
    private final Traffic traffic;
    private final AtomicReference<Ranges> ranges = new AtomicReference<>(Ranges.ALL);
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    Common(Endpoint endpoint, Transport transport, Settings settings, int parallel) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.settings = settings;
        this.permits = new Permits(parallel);
        this.traffic = new Traffic(System::nanoTime, parallel);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Transport transport() {
        return transport;
    }

    Settings settings() {
        return settings;
    }

    Traffic traffic() {
        return traffic;
    }

    Permits permits() {
        return permits;
    }

    AtomicReference<Ranges> ranges() {
        return ranges;
    }

    Set<Call> calls() {
        return calls;
    }

    Set<String> secrets() {
        return endpoint.secrets();
    }

    Prepared prepare(String key, Ask ask, Optional<String> pin) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept-Encoding", "identity");
        headers.put("User-Agent", UserAgent.VALUE);
        ask.header().ifPresent(r -> headers.put("Range", r));
        Version.ifMatch(pin).ifPresent(tag -> headers.put("If-Match", tag));
        endpoint.basicAuthorization().ifPresent(b -> headers.put("Authorization", b));
        Map<String, String> own = callersHeaders();
        headers.keySet().removeIf(name -> own.keySet().stream().anyMatch(name::equalsIgnoreCase));
        headers.putAll(own);
        Set<String> secrets = new LinkedHashSet<>(endpoint.secrets());
        secrets.addAll(own.values());
        own.values().stream().filter(v -> v.startsWith("Bearer ")).forEach(v -> secrets.add(v.substring(7)));
        return new Prepared(Request.get(endpoint.uri(key), headers), secrets);
    }

    /** Returns the caller's headers. A supplier's exception may contain the secret, so only its class is passed on. */
    private Map<String, String> callersHeaders() {
        try {
            Map<String, String> own = new LinkedHashMap<>(settings.headers().get());
            String token = settings.token().get();
            if (!token.isEmpty()) {
                own.put("Authorization", "Bearer " + token);
            }
            return own;
        } catch (RuntimeException e) {
            throw new StoreException("the supplier of headers or of the token failed with "
                    + e.getClass().getName());
        }
    }

    void log(String key, Ask ask, int status, long nanos) {
        if (LOG.isLoggable(Level.DEBUG)) {
            LOG.log(
                    Level.DEBUG,
                    "GET {0} ({1}) from {2}: HTTP {3}, {4} ms",
                    key,
                    ask,
                    endpoint.describe(),
                    status,
                    nanos / 1_000_000);
        }
    }
}
