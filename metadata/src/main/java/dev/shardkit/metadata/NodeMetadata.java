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
     * Returns how parts of the document were read that break the specification, but whose meaning is beyond doubt, and
     * what Zarr v3 cannot say of a node of another format. Each remark begins with a JSON pointer or the name of a
     * document. Remarks are never written: metadata that are written follow the specification.
     */
    List<String> remarks();
}
