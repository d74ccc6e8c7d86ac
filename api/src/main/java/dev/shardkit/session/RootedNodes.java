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
 * Nodes of formats that keep all documents below their store's root (the draft of 2022): such a node has no folder, so
 * the root is looked for above the place where the folder would be. Files only; elsewhere each level would cost
 * requests.
 */
public final class RootedNodes {
    private RootedNodes() {}

    /**
     * The node that would have its folder at {@code location}.
     *
     * @param open opens a node, given its path; closing that closes the store
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

    /** Whether the store's root says that it is of such a format; what else may be wrong above is of no interest. */
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
