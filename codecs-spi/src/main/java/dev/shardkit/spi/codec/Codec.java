package dev.shardkit.spi.codec;

import dev.shardkit.spi.json.Json;

/**
 * A codec as the metadata states it (Zarr core specification, section "Codecs"): configured, not yet bound to a chunk
 * type. Immutable. An author implements one of the three kinds.
 */
public sealed interface Codec permits ArrayToArrayCodec, ArrayToBytesCodec, BytesToBytesCodec {
    /** The name in the metadata. */
    String name();

    /** The configuration as it is written to metadata, complete and explicit. */
    Json.Obj configuration();
}
