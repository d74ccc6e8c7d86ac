package dev.shardkit.session.search;

import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.NodeFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of a search for the node at a path: its metadata, and where its data are. Immutable.
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

    /** Returns whether the node has no document of its own. */
    public boolean isImplied() {
        return foreign != null && foreign.evidence() == NodeFormat.Evidence.IMPLIED;
    }

    /**
     * Another format of documents.
     *
     * @param format its name
     * @param evidence whether there is a document
     * @param children where the format keeps the children of a group
     * @param documents the keys of its documents
     */
    public record Foreign(
            String format, NodeFormat.Evidence evidence, NodeFormat.Children children, Set<String> documents) {}
}
