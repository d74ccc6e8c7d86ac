package dev.shardkit.serve;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.net.URI;

/**
 * Finds out whether a store failed because a request names a file that the store does not read, such as a pipe or a
 * link that leads out of its root. The response is then the same as for a missing object, and no failure is reported.
 * Also finds the key that any request names. Thread-safe.
 */
final class UnservedPaths {
    /** The maximum number of entries of a folder that are searched. */
    private static final int MAX_ENTRIES = 100_000;

    private final BlockingStore store;

    UnservedPaths(BlockingStore store) {
        this.store = store;
    }

    /** Whether the path of a request, or a path above it, names neither an object nor a folder. */
    boolean isUnserved(URI uri) {
        try {
            String key = key(uri);
            for (String name = key; !name.isEmpty(); name = StoreKeys.parent(name)) {
                if (isOther(name)) {
                    return true;
                }
            }
            return false;
        } catch (HttpError | IOException | ZarrException e) {
            return false; // the store has failed for another reason
        }
    }

    /**
     * Returns the key of the object or node that a request names, below {@code /}, {@code /__view/} or {@code /__v3/}.
     */
    static String key(URI uri) throws HttpError {
        return RequestPath.parse(nodePath(uri)).key();
    }

    /** Returns the raw path of the object or node that a request names, without {@code /__view/} or {@code /__v3/}. */
    static String nodePath(URI uri) {
        String path = uri.getRawPath();
        if (VirtualNodeHandler.isBelow(uri)) {
            path = path.substring(VirtualNodeHandler.ROOT.length() - 1);
        } else if (PageHandler.isBelow(uri)) {
            path = path.substring(Math.max(path.indexOf('/', PageHandler.ROOT.length()), 0));
        }
        return path;
    }

    /** Whether a key names an entry that is neither an object nor a folder. */
    private boolean isOther(String key) throws IOException {
        if (!store.can(Listings.class)) {
            return false;
        }
        String name = StoreKeys.name(key);
        int[] visited = {0};
        try {
            store.list(StoreKeys.parent(key), entry -> {
                boolean isSame = entry.name().equals(name);
                if (isSame || ++visited[0] > MAX_ENTRIES) {
                    throw new EntryFound(isSame && entry.kind() == Entry.Kind.OTHER);
                }
            });
        } catch (EntryFound found) {
            return found.isOther;
        } catch (StoreException e) {
            return false; // the folder cannot be listed; perhaps a path above it is the unserved one
        }
        return false;
    }

    /** Thrown by the listener of a listing to end it early. Has no stack trace. */
    private static final class EntryFound extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final boolean isOther;

        EntryFound(boolean isOther) {
            super("", null, false, false);
            this.isOther = isOther;
        }
    }
}
