package dev.shardkit.session;

import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.NodeFormat;
import java.util.Optional;

/**
 * What was found at a path. Immutable.
 *
 * @param metadata what its document says
 * @param dataPath the path below which an array's chunks lie
 * @param foreign the other form of its documents, if it has one
 */
public record FoundNode(NodeMetadata metadata, String dataPath, Optional<Foreign> foreign) {
    /** A node of Zarr v3. */
    public static FoundNode own(NodeMetadata metadata, String path) {
        return new FoundNode(metadata, path, Optional.empty());
    }

    /** Whether there is no document of its own. */
    public boolean isImplied() {
        return foreign.filter(f -> f.evidence() == NodeFormat.Evidence.IMPLIED).isPresent();
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
