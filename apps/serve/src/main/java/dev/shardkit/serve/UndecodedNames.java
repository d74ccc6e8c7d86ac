package dev.shardkit.serve;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import java.net.URI;
import java.util.Optional;

/** Handles requests whose names contain a {@code %} that the client did not encode. Thread-safe. */
final class UndecodedNames {
    private final StoredNodes nodes;

    UndecodedNames(StoredNodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Encodes each {@code %} in the URI of a request that found no object. Returns empty if there is no {@code %}, or
     * if the decoded path leads into a node, because then that node lacks the object.
     */
    Optional<URI> encodePercent(URI uri) {
        String rawPath = uri.getRawPath();
        if (rawPath.indexOf('%') < 0 || leadsIntoNode(uri)) {
            return Optional.empty();
        }
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return Optional.of(URI.create(rawPath.replace("%", "%25") + query));
    }

    /** Whether the decoded path leads into a node. Looks only at folders after the first {@code %}. */
    private boolean leadsIntoNode(URI uri) {
        String key;
        try {
            key = UnservedPaths.key(uri);
        } catch (HttpError e) {
            return false; // not a valid key, such as a name with an encoded slash
        }
        String unescapedPrefix = unescapedPrefix(uri);
        for (String path = StoreKeys.parent(key);
                path.length() > unescapedPrefix.length();
                path = StoreKeys.parent(path)) {
            try {
                nodes.openNode(path);
                return true;
            } catch (HttpError e) {
                continue; // no node there
            } catch (ZarrException e) {
                return true; // a node that cannot be opened
            }
        }
        return false;
    }

    /** Returns the names before the first name with a {@code %}. */
    private static String unescapedPrefix(URI uri) {
        String path = UnservedPaths.nodePath(uri);
        int end = path.lastIndexOf('/', Math.max(path.indexOf('%'), 0));
        return end <= 0 ? "" : path.substring(1, end);
    }
}
