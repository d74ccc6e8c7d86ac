package dev.shardkit.metadata;

import dev.shardkit.spi.json.Json;

/**
 * The content of a node's {@code zarr.json} (Zarr core specification, section "Metadata"). Immutable and thread-safe.
 */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata, UnsupportedNode {
    /** Returns the user's attributes. Numbers keep the text in which they were written. */
    Json.Obj attributes();
}
