package dev.shardkit;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Nodes of formats that keep all documents below their store's root (the draft of 2022): such a node has no folder, so
 * the root is looked for above the place where the folder would be. Files only; elsewhere each level would cost
 * requests.
 */
final class RootedNodes {
    private RootedNodes() {}

    /** The node that would have its folder at {@code location}; it closes its store. */
    static Optional<ZarrNode> find(URI location, ZarrOptions options) {
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
                : find(root, root.relativize(folder).toString().replace('\\', '/'), options);
    }

    private static Optional<ZarrNode> find(Path root, String path, ZarrOptions options) {
        Store store = options.registry().open(root.toUri(), options.links());
        Optional<ZarrNode> found = Optional.empty();
        try {
            Session session = new Session(store, options, options.registry()).owning();
            if (isRooted(session)) {
                found = Zarr.find(session, path);
            }
            return found;
        } finally {
            if (found.isEmpty()) {
                store.close();
            }
        }
    }

    /** Whether the store's root says that it is of such a format; what else may be wrong above is of no interest. */
    private static boolean isRooted(Session session) {
        try {
            return session.call(() -> session.find(""), "")
                    .flatMap(FoundNode::foreign)
                    .filter(f -> !f.children().suffixes().isEmpty())
                    .isPresent();
        } catch (ZarrException e) {
            return false;
        }
    }
}
