package dev.shardkit.serve;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.net.URI;

/**
 * Places in a store that are no objects or folders, such as links that lead out of its root, and pipes. A request for
 * one is answered like a request for a missing object, because it is no failure of the store. Thread-safe.
 */
final class UnservedPlaces {
    /** The most entries of a folder that are looked at. */
    private static final int MAX_ENTRIES = 100_000;

    private final StoreAccess store;

    UnservedPlaces(StoreAccess store) {
        this.store = store;
    }

    /** Whether the place of a request, or one above it, is no object or folder. */
    boolean has(URI uri) {
        try {
            String key = key(uri);
            for (String name = key; !name.isEmpty(); name = StoreKeys.parent(name)) {
                if (isOther(name)) {
                    return true;
                }
            }
            return false;
        } catch (Refused | IOException | ZarrException e) {
            return false; // the store does fail
        }
    }

    /** Returns the key that a request for an object, the page's data or a virtual node is about. */
    static String key(URI uri) throws Refused {
        return RequestPath.of(path(uri)).key();
    }

    /** Returns the raw path of the object, the page's data or the virtual node. */
    static String path(URI uri) {
        String path = uri.getRawPath();
        if (VirtualAnswer.isBelow(uri)) {
            path = path.substring(VirtualAnswer.ROOT.length() - 1);
        } else if (PageAnswer.isBelow(uri)) {
            path = path.substring(Math.max(path.indexOf('/', PageAnswer.ROOT.length()), 0));
        }
        return path;
    }

    private boolean isOther(String key) throws IOException {
        if (!store.can(Lists.class)) {
            return false;
        }
        String name = StoreKeys.name(key);
        int[] seen = {0};
        try {
            store.list(StoreKeys.parent(key), entry -> {
                boolean isSame = entry.name().equals(name);
                if (isSame || ++seen[0] > MAX_ENTRIES) {
                    throw new Found(isSame && entry.kind() == Entry.Kind.OTHER);
                }
            });
        } catch (Found found) {
            return found.isOther;
        } catch (StoreException e) {
            return false; // a place above it may be the reason
        }
        return false;
    }

    /** Ends a listing early. */
    private static final class Found extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final boolean isOther;

        Found(boolean isOther) {
            super("", null, false, false);
            this.isOther = isOther;
        }
    }
}
