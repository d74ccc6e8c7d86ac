package dev.shardkit.metadata;

import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * The content of a node's {@code zarr.json} (Zarr core specification, section "Metadata"). Immutable and thread-safe.
 */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata, UnsupportedNode {
    /** Returns the user's attributes. Numbers keep the text in which they were written. */
    Json.Obj attributes();

    /**
     * Returns remarks about the document, each with a JSON pointer or the name of a document first. Some remarks say
     * how a part was read that breaks the specification but has a clear meaning. Others name properties of a node of
     * another format that Zarr v3 cannot express. Remarks are never written, because written metadata follow the
     * specification.
     */
    List<String> remarks();
}
