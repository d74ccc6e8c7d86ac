package dev.shardkit.session;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds nodes of formats that keep all documents below the root of the store (the draft of 2022). Such a node has no
 * folder, so the root is searched in the folders above the location. For files only; elsewhere each level would cost
 * requests.
 */
public final class RootedNodes {
    private RootedNodes() {}

    /**
     * Finds the node whose folder would be at {@code location}.
     *
     * @param open opens a node; closing the opened node closes the store
     */
    public static <N> Optional<N> find(URI location, Settings options, Function<StoredNode, Optional<N>> open) {
        if (!"file".equals(location.getScheme())) {
            return Optional.empty();
        }
        Path folder;
        try {
            folder = Path.of(location).toAbsolutePath().normalize();
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            return Optional.empty();
        }
        Path root = folder.getParent();
        while (root != null && !Files.exists(root.resolve(NodePath.DOCUMENT))) {
            root = root.getParent();
        }
        return root == null
                ? Optional.empty()
                : find(root, root.relativize(folder).toString().replace('\\', '/'), options, open);
    }

    private static <N> Optional<N> find(
            Path root, String path, Settings options, Function<StoredNode, Optional<N>> open) {
        Store store = options.registry().get().open(root.toUri(), options.links());
        Optional<N> found = Optional.empty();
        try {
            Session session = new Session(store, options).owning();
            if (isRooted(session)) {
                found = open.apply(new StoredNode(session, path));
            }
            return found;
        } finally {
            if (found.isEmpty()) {
                store.close();
            }
        }
    }

    /** Checks whether the store's root is of such a format. Other errors in a folder above the location are ignored. */
    private static boolean isRooted(Session session) {
        try {
            return session.call(() -> session.find(""), "")
                    .map(FoundNode::foreign)
                    .filter(f -> !f.children().suffixes().isEmpty())
                    .isPresent();
        } catch (ZarrException e) {
            return false;
        }
    }
}
