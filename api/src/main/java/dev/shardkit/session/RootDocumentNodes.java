package dev.shardkit.session;

import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.registry.Registry;
import dev.shardkit.session.location.Locations;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds nodes of formats in which one document at the root describes all nodes: the draft of Zarr v3 of 2022, and
 * neuroglancer's volumes. (Consolidated metadata are another mechanism.) A node of these formats has no document at its
 * location, so this class searches for the root in the folders above it. In local files it searches all of them. In a
 * remote store it searches only a few levels, and only if the caller has chosen the format, because each level costs
 * requests.
 */
public final class RootDocumentNodes {
    /** The largest number of levels above a remote location that are searched. */
    private static final int MAX_REMOTE_LEVELS = 3;

    private RootDocumentNodes() {}

    /**
     * Finds the node whose location is that of {@code store}, which has no node at its root.
     *
     * @param location the location that the store was opened with
     * @param open opens a node; closing the opened node closes the store
     */
    public static <N> Optional<N> find(
            Store store, URI location, Settings options, Function<StoredNode, Optional<N>> open) {
        Registry registry = options.registry().get();
        Optional<String> formatName = NamedFormat.name(store);
        List<NodeFormat> formats = registry.nodeFormats().stream()
                .filter(format -> format.rootDocument().isPresent()
                        && formatName.map(format.name()::equals).orElse(true))
                .toList();
        Optional<Path> folder = Locations.localFolder(store);
        if (NamedFormat.choice(store) instanceof FormatChoice.Zarr) {
            return Optional.empty();
        }
        if (formats.isEmpty() || folder.isEmpty() && NamedFormat.choice(store) instanceof FormatChoice.Usual) {
            return Optional.empty();
        }
        return folder.isPresent()
                ? findAbove(folder.get().toAbsolutePath().normalize(), formatName.orElse(null), formats, options, open)
                : findAbove(location, options, open);
    }

    /** Searches the folders above a local folder. */
    private static <N> Optional<N> findAbove(
            Path folder,
            @Nullable String formatName,
            List<NodeFormat> formats,
            Settings options,
            Function<StoredNode, Optional<N>> open) {
        return Stream.iterate(folder.getParent(), root -> root != null, Path::getParent)
                .filter(root -> formats.stream()
                        .anyMatch(format -> Files.isRegularFile(
                                root.resolve(format.rootDocument().orElseThrow()))))
                .map(root -> openAt(
                        formatName == null ? root.toUri() : URI.create(formatName + ":" + root.toUri()),
                        root.relativize(folder).toString().replace('\\', '/'),
                        options,
                        open))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Searches the levels above the URL of a remote store. */
    private static <N> Optional<N> findAbove(URI location, Settings options, Function<StoredNode, Optional<N>> open) {
        String text = location.toString();
        int end = text.indexOf('?') < 0 ? text.length() : text.indexOf('?');
        String query = text.substring(end);
        String root = text.substring(0, end).replaceAll("/+$", "");
        int hostEnd = root.indexOf('/', root.indexOf("://") + "://".length());
        String path = "";
        for (int level = 0; level < MAX_REMOTE_LEVELS && root.contains("://"); level++) {
            int slash = root.lastIndexOf('/');
            if (hostEnd < 0 || slash < hostEnd) {
                return Optional.empty();
            }
            // the last segment of the URL, without its escapes
            String name =
                    URI.create("x:/" + root.substring(slash + 1)).getPath().substring(1);
            path = StoreKeys.join(name, path);
            root = root.substring(0, slash);
            Optional<N> found = openAt(URI.create(root + "/" + query), path, options, open);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Opens the node at {@code path} of the store at {@code root}, if the root is of a format with a root document. */
    private static <N> Optional<N> openAt(
            URI root, String path, Settings options, Function<StoredNode, Optional<N>> open) {
        Store store = options.registry().get().open(root, options.links());
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

    /**
     * Returns whether the store's root is of a format with a root document. A root that cannot be read does not count.
     */
    private static boolean isRooted(Session session) {
        try {
            return session.engine()
                    .call(() -> session.find(""), session.reading(""))
                    .map(FoundNode::foreign)
                    .filter(found -> session.registry().nodeFormats().stream()
                            .anyMatch(format -> format.name().equals(found.format())
                                    && format.rootDocument().isPresent()))
                    .isPresent();
        } catch (ZarrException e) {
            return false;
        }
    }
}
