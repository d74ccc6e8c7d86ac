package dev.shardkit.serve;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import java.net.URI;
import java.util.Optional;

/**
 * Corrects requests whose names contain a {@code %} that the client did not encode, such as a request for the key
 * {@code 50%25} from a client that means these very characters. Thread-safe.
 */
final class UndecodedNames {
    private final StoredNodes nodes;

    UndecodedNames(StoredNodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Returns the URI of a request that found no object with each {@code %} encoded, so that the request can be tried
     * again. Empty if there is no {@code %}, or if the decoded path leads into a node: then the client did encode the
     * path, and the object is missing in this node.
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

    /** Returns the path before the first name that contains a {@code %}. */
    private static String unescapedPrefix(URI uri) {
        String path = UnservedPaths.nodePath(uri);
        int end = path.lastIndexOf('/', Math.max(path.indexOf('%'), 0));
        return end <= 0 ? "" : path.substring(1, end);
    }
}
