package dev.shardkit.store.http;

import dev.shardkit.store.remote.exchange.Secrets;
import dev.shardkit.transport.Head;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which redirects a store follows, and whether they may receive its credentials (RFC 9110, section 15.4).
 *
 * @param allowed the kinds of redirects that are followed
 * @param hosts accepts the names of the other hosts to which redirects are followed; used with
 *     {@link Redirects#ANY_HOST} only
 */
record RedirectRules(Redirects allowed, Predicate<String> hosts) {
    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);

    /** The next URL of a redirected request, or the reason why the store does not follow the redirect. */
    sealed interface Decision {}

    /** Follow to {@code target}. */
    record Follow(URI target) implements Decision {}

    /** Do not follow; {@code reason} contains no secrets. */
    record Refuse(String reason) implements Decision {}

    /** Returns the decision for a response to a request for {@code source}; empty if it is not a redirect. */
    Optional<Decision> decisionFor(Head head, URI source) {
        return STATUSES.contains(head.status())
                ? Optional.of(decide(head.headers().firstValue("Location").orElse(null), source))
                : Optional.empty();
    }

    private Decision decide(@Nullable String location, URI source) {
        if (allowed == Redirects.NONE) {
            return new Refuse("a redirect, and the store follows none");
        } else if (location == null) {
            return new Refuse("a redirect without a Location");
        }
        URI target;
        try {
            target = source.resolve(new URI(location.strip().replaceFirst("#.*", "")));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return new Refuse("a redirect whose Location is not a URL");
        }
        String scheme = lower(target.getScheme());
        if (!(scheme.equals("http") || scheme.equals("https")) || target.getHost() == null) {
            return new Refuse("a redirect to something other than an http or https URL with a host");
        } else if (target.getRawUserInfo() != null) {
            return new Refuse("a redirect to a URL with user information");
        } else if (lower(source.getScheme()).equals("https") && scheme.equals("http")) {
            return new Refuse("a redirect from HTTPS to HTTP, to " + Secrets.host(target));
        } else if (!mayReceiveCredentials(source, target) // another port is another host, too
                && (allowed == Redirects.SAME_HOST || !hosts.test(lower(target.getHost())))) {
            return new Refuse("a redirect to another host, " + Secrets.host(target)
                    + ", which this store does not follow (see HttpStoreBuilder.redirects)");
        }
        return new Follow(target);
    }

    /** Returns whether credentials for {@code source} may be sent to {@code target}. */
    static boolean mayReceiveCredentials(URI source, URI target) {
        if (!lower(source.getHost()).equals(lower(target.getHost()))) {
            return false;
        }
        boolean sameSchemeAndPort =
                lower(source.getScheme()).equals(lower(target.getScheme())) && port(source) == port(target);
        // From http to https, both at their default ports.
        boolean secured = port(source) == 80
                && port(target) == 443
                && lower(target.getScheme()).equals("https");
        return sameSchemeAndPort || secured;
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : lower(uri.getScheme()).equals("https") ? 443 : 80;
    }

    private static String lower(String text) {
        return String.valueOf(text).toLowerCase(Locale.ROOT);
    }
}
