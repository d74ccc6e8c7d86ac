package dev.shardkit.session;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.nio.file.Path;

/**
 * Refuses new nodes below arrays, because an array has no children. Looks above the path in the store; for a store of
 * local files also in the folders above the store. Stateless, thread-safe.
 */
public final class EnclosingArray {
    private EnclosingArray() {}

    /** Throws {@link StoreException} if {@code node} would lie below an array. */
    public static void refuse(StoredNode node) {
        Session own = node.session().ofDocuments();
        for (String above = node.path(); !above.isEmpty(); ) {
            above = StoreKeys.parent(above);
            StoredNode parent = new StoredNode(own, above);
            if (isArray(parent)) {
                throw refused(node.location(), parent.location());
            }
        }
        refuseRoot(node.session().store(), node.location());
    }

    /** Throws {@link StoreException} if the root of {@code store} lies in the folder of an array. */
    public static void refuseRoot(Store store) {
        refuseRoot(store, store.describe());
    }

    private static void refuseRoot(Store store, String location) {
        Path at = LocalPlace.root(store).map(Path::getParent).orElse(null);
        for (; at != null; at = at.getParent()) {
            if (ArrayDocuments.isArray(at)) {
                throw refused(location, LocalPlace.FILE + at);
            }
        }
    }

    private static StoreException refused(String location, String array) {
        return new StoreException("cannot create an array or group at " + location + ": it lies in the folder of the "
                + "array " + array + ", and an array has no children; choose a place outside of it");
    }

    private static boolean isArray(StoredNode parent) {
        try {
            if (parent.session()
                    .unheard(parent::document, parent.path())
                    .filter(ArrayDocuments::isArray)
                    .isPresent()) {
                return true;
            }
        } catch (MetadataException e) {
            return false; // the document of no node
        }
        return parent.session().isNear()
                && parent.store(s -> {
                    var document = s.open(parent.key(ArrayDocuments.V2_DOCUMENT));
                    if (document.isPresent()) {
                        document.get().close();
                    }
                    return document.isPresent();
                });
    }
}
