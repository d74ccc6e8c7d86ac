package dev.shardkit.store.http;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.remote.BodyCollector;
import dev.shardkit.store.remote.ObjectVersion;
import dev.shardkit.store.remote.Origin;
import dev.shardkit.store.remote.RangeRequest;
import dev.shardkit.store.remote.ResponseClassifier;
import dev.shardkit.store.remote.ResponseOutcome;
import dev.shardkit.store.remote.UserAgent;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Makes the requests of an HTTP store.
 *
 * @param headers the caller's headers
 * @param token the caller's token; "" for none
 * @param supplied whether headers or the token come from suppliers of the caller, which may wait
 * @param redirection which redirects are followed
 */
record HttpOrigin(
        Endpoint endpoint,
        Supplier<Map<String, String>> headers,
        Supplier<String> token,
        boolean supplied,
        Redirection redirection)
        implements Origin {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.http");

    @Override
    public String describe() {
        return endpoint.describe();
    }

    @Override
    public String host() {
        URI base = endpoint.base();
        return base.getHost() + (base.getPort() < 0 ? "" : ":" + base.getPort());
    }

    @Override
    public Set<String> secrets() {
        return endpoint.secrets();
    }

    @Override
    public boolean mayWait() {
        return supplied;
    }

    @Override
    public Prepared read(String key, RangeRequest ask, Optional<String> pin) {
        return withCredentials(endpoint.uri(key), ask, pin);
    }

    @Override
    public Prepared follow(URI target, RangeRequest ask, Optional<String> pin) {
        Prepared prepared = Redirection.isSameHost(endpoint.base(), target)
                ? withCredentials(target, ask, pin)
                : new Prepared(Request.get(target, plain(ask, pin)), endpoint.secrets());
        Set<String> secrets = new LinkedHashSet<>(prepared.secrets());
        secrets.addAll(Endpoint.secretsOf(target));
        return new Prepared(prepared.request(), secrets);
    }

    @Override
    public Optional<BodyCollector> refused(Head head, ResponseClassifier answers) {
        return redirection
                .of(head, answers.from())
                .map(decision -> BodyCollector.nothing(
                        decision instanceof Redirection.Follow to
                                ? new ResponseOutcome.Moved(to.target())
                                : new ResponseOutcome.Failed(answers.failure(
                                        "HTTP " + head.status() + ": " + ((Redirection.Refuse) decision).reason()))));
    }

    private static Map<String, String> plain(RangeRequest ask, Optional<String> pin) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Accept-Encoding", "identity");
        all.put("User-Agent", UserAgent.VALUE);
        ask.header().ifPresent(r -> all.put("Range", r));
        ObjectVersion.ifMatch(pin).ifPresent(tag -> all.put("If-Match", tag));
        return all;
    }

    private Prepared withCredentials(URI uri, RangeRequest ask, Optional<String> pin) {
        Map<String, String> all = plain(ask, pin);
        endpoint.basicAuthorization().ifPresent(b -> all.put("Authorization", b));
        Map<String, String> own = callersHeaders();
        if (own.isEmpty()) {
            return new Prepared(Request.get(uri, all), endpoint.secrets());
        }
        all.keySet().removeIf(name -> own.keySet().stream().anyMatch(name::equalsIgnoreCase));
        all.putAll(own);
        Set<String> secrets = new LinkedHashSet<>(endpoint.secrets());
        secrets.addAll(own.values());
        own.values().stream().filter(v -> v.startsWith("Bearer ")).forEach(v -> secrets.add(v.substring(7)));
        return new Prepared(Request.get(uri, all), secrets);
    }

    /** Returns the caller's headers. A supplier's exception may contain the secret, so only its class is passed on. */
    private Map<String, String> callersHeaders() {
        try {
            Map<String, String> own = new LinkedHashMap<>(headers.get());
            String bearer = token.get();
            if (!bearer.isEmpty()) {
                own.put("Authorization", "Bearer " + bearer);
            }
            return own;
        } catch (RuntimeException e) {
            throw new StoreException("the supplier of headers or of the token failed with "
                    + e.getClass().getName());
        }
    }

    @Override
    public System.Logger log() {
        return LOG;
    }
}
