package dev.shardkit.session;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Refuses new nodes below arrays, because an array has no children. Looks above the path in the store, in local stores
 * for arrays of all formats; for a store of local files also in the folders above the store. There it also refuses
 * folders below a group whose names no node may have, because readers of the group would never find them. Stateless,
 * thread-safe.
 */
public final class EnclosingArray {
    private EnclosingArray() {}

    /** Throws {@link StoreException} if {@code node} would lie below an array, or where readers do not look. */
    public static void refuse(StoredNode node) {
        Session own = node.session().ofDocuments();
        for (String above = node.path(); !above.isEmpty(); ) {
            above = StoreKeys.parent(above);
            StoredNode parent = new StoredNode(own, above);
            if (isArray(parent)) {
                throw refused(node.location(), parent.location());
            }
        }
        refuseRoot(node.session().store(), node.location(), own.options());
    }

    /** Throws {@link StoreException} if the root of {@code store} lies below an array, or where readers do not look. */
    public static void refuseRoot(Store store) {
        refuseRoot(store, store.describe(), Settings.defaults());
    }

    private static void refuseRoot(Store store, String location, Settings settings) {
        Path node = LocalPlace.root(store).orElse(null);
        String wrong = "";
        while (node != null && node.getParent() != null) {
            wrong = wrong.isEmpty() ? wrong(node.getFileName().toString()) : wrong;
            node = node.getParent();
            if (ArrayDocuments.isArray(node) || LocalFormats.isArray(node, settings)) {
                throw refused(location, LocalPlace.FILE + node);
            } else if (!wrong.isEmpty() && isGroup(node)) {
                throw new StoreException("cannot create an array or group at " + location + " in the group "
                        + LocalPlace.FILE + node + ": " + wrong + "; choose another name");
            }
        }
    }

    private static String wrong(String name) {
        try {
            NodePath.checkNewName(name);
            return "";
        } catch (MetadataException e) {
            return e.fact();
        }
    }

    private static boolean isGroup(Path folder) {
        return Files.isRegularFile(folder.resolve(NodePath.DOCUMENT)) || Files.isRegularFile(folder.resolve(".zgroup"));
    }

    private static StoreException refused(String location, String array) {
        return new StoreException("cannot create an array or group at " + location + ": it lies in the folder of the "
                + "array " + array + ", and an array has no children; choose a place outside of it");
    }

    private static boolean isArray(StoredNode parent) {
        try {
            if (parent.session()
                    .engine()
                    .call(parent::document, parent.reading().quiet())
                    .filter(ArrayDocuments::isArray)
                    .isPresent()) {
                return true;
            }
        } catch (MetadataException e) {
            return LocalFormats.isArray(parent); // the document of no node
        }
        return LocalFormats.isArray(parent)
                || parent.session().isNear()
                        && parent.store(s -> {
                            var document = s.open(parent.key(ArrayDocuments.V2_DOCUMENT));
                            if (document.isPresent()) {
                                document.get().close();
                            }
                            return document.isPresent();
                        });
    }
}
