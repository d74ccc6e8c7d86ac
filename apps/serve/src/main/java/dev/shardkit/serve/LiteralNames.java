package dev.shardkit.serve;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import java.net.URI;
import java.util.Optional;

/** Requests whose names have a {@code %} that the client did not encode. Thread-safe. */
final class LiteralNames {
    private final StoredNodes nodes;

    LiteralNames(StoredNodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Encodes each {@code %} in the URI of a request that found nothing. Returns empty if there is no {@code %}, or if
     * the decoded names lead into a node: then that node lacks the object.
     */
    Optional<URI> of(URI uri) {
        String raw = uri.getRawPath();
        if (raw.indexOf('%') < 0 || leadsIntoANode(uri)) {
            return Optional.empty();
        }
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return Optional.of(URI.create(raw.replace("%", "%25") + query));
    }

    /** Whether there is a node above the decoded names, below the last part that has no {@code %} in it. */
    private boolean leadsIntoANode(URI uri) {
        String key;
        try {
            key = UnservedPlaces.key(uri);
        } catch (Refused e) {
            return false; // no stored name, such as one with a slash
        }
        String plain = plain(uri);
        for (String at = StoreKeys.parent(key); at.length() > plain.length(); at = StoreKeys.parent(at)) {
            try {
                nodes.node(at);
                return true;
            } catch (Refused e) {
                continue; // no node there
            } catch (ZarrException e) {
                return true; // a node that cannot be opened
            }
        }
        return false;
    }

    /** Returns the names before the first one with a {@code %}. */
    private static String plain(URI uri) {
        String path = UnservedPlaces.path(uri);
        int end = path.lastIndexOf('/', Math.max(path.indexOf('%'), 0));
        return end <= 0 ? "" : path.substring(1, end);
    }
}
