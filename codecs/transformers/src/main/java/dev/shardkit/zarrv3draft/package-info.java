/**
 * The node format of the Zarr v3 core draft of 2020 to 2022 (protocol "https://purl.org/zarr/spec/protocol/core/3.0"),
 * which zarr-python 2.11 to 2.18 wrote as an experiment. Its sharding is in {@code dev.shardkit.transformer.sharding}.
 * {@link dev.shardkit.zarrv3draft.DraftFormat} opens nodes of the draft like others;
 * {@link dev.shardkit.zarrv3draft.DraftArray} converts a single document:
 *
 * <pre>{@code
 * Json.Obj draft = ...;                                    // stored under DraftArray.documentKey("foo/baz")
 * DraftArray array = DraftArray.of("foo/baz", draft);
 * ArrayMetadata metadata = (ArrayMetadata) new MetadataReader(registry, limits).read(array.document());
 * ZarrArray foo = Zarr.openArray(store, array.dataPath(), metadata, options);
 * }</pre>
 */
@NullMarked
package dev.shardkit.zarrv3draft;

import org.jspecify.annotations.NullMarked;
