package dev.shardkit.session;

import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A node found at a path. Immutable.
 *
 * @param metadata the content of its document
 * @param dataPath the path of the chunks of an array
 * @param foreign the other format of its documents; null for Zarr v3
 */
public record FoundNode(
        NodeMetadata metadata, String dataPath, @Nullable Foreign foreign) {
    /** Returns a node of Zarr v3. */
    public static FoundNode own(NodeMetadata metadata, String path) {
        return new FoundNode(metadata, path, null);
    }

    /** Checks whether the node has no document of its own. */
    public boolean isImplied() {
        return foreign != null && foreign.evidence() == NodeFormat.Evidence.IMPLIED;
    }

    /**
     * Checks whether the node exists: a group without a document of its own exists if there is anything below it. If
     * the store cannot list, such a group is taken to exist.
     */
    public boolean isThere(Session session) {
        if (foreign == null || !isImplied()) {
            return true;
        }
        boolean[] any = new boolean[1];
        try {
            session.list(foreign.children().prefix(), entry -> any[0] = true);
        } catch (UnsupportedException e) {
            return true;
        }
        return any[0];
    }

    /** Drops a group that does not exist, see {@link #isThere}. Finding that out lists the store, which may block. */
    public static CompletableFuture<Optional<FoundNode>> existing(Optional<FoundNode> found, Session session) {
        return found.filter(FoundNode::isImplied).isEmpty()
                ? CompletableFuture.completedFuture(found)
                : session.async(() -> found.filter(node -> node.isThere(session)));
    }

    /**
     * Another format of documents.
     *
     * @param format its name
     * @param evidence whether there is a document
     * @param children where the children of a group are
     */
    public record Foreign(String format, NodeFormat.Evidence evidence, NodeFormat.Children children) {}
}
