package dev.shardkit.session;

import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.UnsupportedException;
import org.jspecify.annotations.Nullable;

/**
 * What was found at a path. Immutable.
 *
 * @param metadata what its document says
 * @param dataPath the path below which an array's chunks lie
 * @param foreign the other form of its documents, if it has one
 */
public record FoundNode(
        NodeMetadata metadata, String dataPath, @Nullable Foreign foreign) {
    /** A node of Zarr v3. */
    public static FoundNode own(NodeMetadata metadata, String path) {
        return new FoundNode(metadata, path, null);
    }

    /** Whether there is no document of its own. */
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

    /**
     * Another form of documents.
     *
     * @param format its name
     * @param evidence whether there is a document
     * @param children where a group's children are
     */
    public record Foreign(String format, NodeFormat.Evidence evidence, NodeFormat.Children children) {}
}
