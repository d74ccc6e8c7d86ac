package dev.shardkit.session.creation;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.location.Locations;
import dev.shardkit.session.search.ArrayDocuments;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Refuses to create nodes below arrays, because an array has no children. Searches all parents of the path in the
 * store; in local stores, arrays of all formats count. For a store of local files, the search continues in the folders
 * above the store. Also refuses a store in a folder whose name no node may have, if a group lies above the folder:
 * readers of the group would never find the node. Stateless, thread-safe.
 */
public final class EnclosingArray {
    private EnclosingArray() {}

    /** Throws {@link StoreException} if {@code node} would lie below an array, or where readers do not look. */
    public static void refuse(StoredNode node) {
        Session documents = node.session().ofDocuments();
        for (String parentPath = node.path(); !parentPath.isEmpty(); ) {
            parentPath = StoreKeys.parent(parentPath);
            StoredNode parent = new StoredNode(documents, parentPath);
            if (isArray(parent)) {
                throw error(node.location(), parent.location());
            }
        }
        refuseRoot(node.session().store(), node.location(), documents.options());
    }

    /** Throws {@link StoreException} if the root of {@code store} lies below an array, or where readers do not look. */
    public static void refuseRoot(Store store) {
        refuseRoot(store, store.describe(), Settings.defaults());
    }

    /** Searches the folders above a store of local files. */
    private static void refuseRoot(Store store, String location, Settings settings) {
        Path node = Locations.localFolder(store).orElse(null);
        String nameError = "";
        while (node != null && node.getParent() != null) {
            nameError = nameError.isEmpty() ? nameError(node.getFileName().toString()) : nameError;
            node = node.getParent();
            if (ArrayDocuments.isArray(node) || LocalFormats.isArray(node, settings)) {
                throw error(location, "file:" + node);
            } else if (!nameError.isEmpty() && isGroup(node)) {
                throw new StoreException("cannot create an array or group at " + location + " in the group " + "file:"
                        + node + ": " + nameError + "; choose another name");
            }
        }
    }

    /** Returns why a name is invalid as that of a new node; empty if it is valid. */
    private static String nameError(String name) {
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

    private static StoreException error(String location, String array) {
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
            return LocalFormats.isArray(parent); // zarr.json is invalid, so it describes no array
        }
        // in a local store, a document of Zarr v2 counts even if it is invalid
        return LocalFormats.isArray(parent)
                || parent.session().isLocal()
                        && parent.store(store -> {
                            var document = store.open(parent.key(ArrayDocuments.V2_DOCUMENT));
                            if (document.isPresent()) {
                                document.get().close();
                            }
                            return document.isPresent();
                        });
    }
}
