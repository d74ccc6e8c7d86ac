package dev.shardkit.metadata;

import dev.shardkit.spi.json.Json;

/**
 * What the {@code zarr.json} of a node says (Zarr core specification, section "Metadata"). Immutable and thread-safe.
 */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata, UnsupportedNode {
    /** The user's attributes, numbers as they were written. */
    Json.Obj attributes();
}
