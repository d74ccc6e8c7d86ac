package dev.shardkit.spi.codec;

import dev.shardkit.spi.json.Json;

/**
 * A codec with its configuration (Zarr core specification, section "Codecs"), not yet bound to a chunk type. Immutable.
 * Authors implement one of the three kinds.
 */
public sealed interface Codec permits ArrayToArrayCodec, ArrayToBytesCodec, BytesToBytesCodec {
    /** Returns the name in the metadata. */
    String name();

    /** Returns the configuration to write to metadata, complete and with explicit defaults. */
    Json.Obj configuration();

    /** Returns this codec as metadata states it, in the form of {@link Json#extension}. */
    default Json.Obj json() {
        return Json.extension(name(), configuration());
    }
}
