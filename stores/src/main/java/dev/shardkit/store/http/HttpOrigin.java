package dev.shardkit.store.http;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.remote.exchange.BodyCollector;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.store.remote.exchange.ResponseClassifier;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.store.remote.exchange.UserAgent;
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
 * Makes the requests of an HTTP store, with the caller's credentials, and decides about redirects. Thread-safe.
 *
 * @param endpoint the base URL
 * @param headers supplies the caller's headers before each request
 * @param token supplies the caller's bearer token before each request; "" for none
 * @param supplied whether headers or token come from suppliers of the caller, which may block
 * @param redirection decides which redirects are followed
 */
record HttpOrigin(
        Endpoint endpoint,
        Supplier<Map<String, String>> headers,
        Supplier<String> token,
        boolean supplied,
        RedirectRules redirection)
        implements ServerProtocol {
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
    public Prepared read(String key, RangeRequest rangeRequest, Optional<String> pin) {
        return withCredentials(endpoint.uri(key), rangeRequest, pin);
    }

    @Override
    public Prepared follow(URI target, RangeRequest rangeRequest, Optional<String> pin) {
        Prepared prepared = RedirectRules.mayReceiveCredentials(endpoint.base(), target)
                ? withCredentials(target, rangeRequest, pin)
                : new Prepared(Request.get(target, plain(rangeRequest, pin)), endpoint.secrets());
        Set<String> secrets = new LinkedHashSet<>(prepared.secrets());
        secrets.addAll(Endpoint.secretsOf(target));
        return new Prepared(prepared.request(), secrets);
    }

    @Override
    public Optional<BodyCollector> refused(Head head, ResponseClassifier classifier) {
        return redirection
                .decisionFor(head, classifier.requestUri())
                .map(decision -> BodyCollector.discarding(
                        decision instanceof RedirectRules.Follow follow
                                ? new ResponseOutcome.Moved(follow.target())
                                : new ResponseOutcome.Failed(classifier.failure(
                                        "HTTP " + head.status() + ": " + ((RedirectRules.Refuse) decision).reason()))));
    }

    /** Returns the headers of a request without credentials. */
    private static Map<String, String> plain(RangeRequest rangeRequest, Optional<String> pin) {
        Map<String, String> headersToSend = new LinkedHashMap<>();
        headersToSend.put("Accept-Encoding", "identity");
        headersToSend.put("User-Agent", UserAgent.VALUE);
        rangeRequest.header().ifPresent(range -> headersToSend.put("Range", range));
        ObjectVersion.ifMatch(pin).ifPresent(tag -> headersToSend.put("If-Match", tag));
        return headersToSend;
    }

    private Prepared withCredentials(URI uri, RangeRequest rangeRequest, Optional<String> pin) {
        Map<String, String> headersToSend = plain(rangeRequest, pin);
        endpoint.basicAuthorization().ifPresent(basic -> headersToSend.put("Authorization", basic));
        Map<String, String> callersOwn = callersHeaders();
        if (callersOwn.isEmpty()) {
            return new Prepared(Request.get(uri, headersToSend), endpoint.secrets());
        }
        headersToSend.keySet().removeIf(name -> callersOwn.keySet().stream().anyMatch(name::equalsIgnoreCase));
        headersToSend.putAll(callersOwn);
        Set<String> secrets = new LinkedHashSet<>(endpoint.secrets());
        secrets.addAll(callersOwn.values());
        callersOwn.values().stream()
                .filter(value -> value.startsWith("Bearer "))
                .forEach(value -> secrets.add(value.substring("Bearer ".length())));
        return new Prepared(Request.get(uri, headersToSend), secrets);
    }

    /** Returns the caller's headers. A supplier's exception may contain the secret, so only its class is passed on. */
    private Map<String, String> callersHeaders() {
        try {
            Map<String, String> supplied = new LinkedHashMap<>(headers.get());
            String bearer = token.get();
            if (!bearer.isEmpty()) {
                supplied.put("Authorization", "Bearer " + bearer);
            }
            return supplied;
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
