package dev.shardkit.maintenance.convert;

import dev.shardkit.Codecs;
import dev.shardkit.maintenance.destination.PortableCodecs;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Zarr v3 equivalent of an array of another format, which a conversion writes. It has shards instead of storage
 * transformers, and only chunk keys and codecs that Zarr v3 names. Immutable.
 *
 * @param metadata the content of the new {@code zarr.json}
 * @param storedMetadata the same metadata with the chunk keys of the source's objects
 * @param chunkHandling whether the stored objects of the source are kept, or must be encoded again
 */
record PortableArray(ArrayMetadata metadata, ArrayMetadata storedMetadata, ChunkHandling chunkHandling) {
    /** How a conversion treats stored objects. */
    enum ChunkHandling {
        KEPT,
        REENCODED
    }

    /** Which codec names are allowed. */
    enum CodecNames {
        ZARR_V3,
        ZARR_V3_AND_NUMCODECS
    }

    static PortableArray of(ArrayMetadata from, CodecNames names, Registry registry, Limits limits) {
        Json.Obj document = MetadataWriter.document(from);
        Json.Arr sourceCodecs = (Json.Arr) document.get("codecs").orElseThrow();
        Json.Arr codecs = names == CodecNames.ZARR_V3 ? PortableCodecs.of(sourceCodecs) : sourceCodecs;
        Json.Obj sharded = withShards(document.with("codecs", codecs), from);
        MetadataReader reader = new MetadataReader(registry, limits);
        ArrayMetadata metadata = (ArrayMetadata) reader.read(withZarrV3Keys(sharded, from.chunkKeyEncoding()));
        return new PortableArray(
                metadata,
                withKeys(metadata, from.chunkKeyEncoding()),
                codecs.equals(sourceCodecs) ? ChunkHandling.KEPT : ChunkHandling.REENCODED);
    }

    /** Returns whether the new array has the chunk key encoding of the source. */
    boolean keepsKeys() {
        return metadata.chunkKeyEncoding()
                .name()
                .equals(storedMetadata.chunkKeyEncoding().name());
    }

    private static ArrayMetadata withKeys(ArrayMetadata metadata, ChunkKeyEncoding keys) {
        return ArrayMetadata.builder(
                        metadata.shape(), metadata.dataType(), metadata.chunkGrid(), keys, metadata.codecs())
                .fillValueOf(metadata)
                .build();
    }

    /** Replaces the chunk keys of the draft, which Zarr v3 does not name, by the default encoding. */
    private static Json.Obj withZarrV3Keys(Json.Obj document, ChunkKeyEncoding keys) {
        if (keys.name().equals("default") || keys.name().equals("v2")) {
            return document;
        }
        Json.Obj separator = Json.object()
                .with("separator", keys.configuration().get("separator").orElseGet(() -> Json.of("/")));
        return document.with("chunk_key_encoding", Json.extension("default", separator));
    }

    /** Replaces each storage transformer by a sharding codec, starting with the transformer next to the array. */
    private static Json.Obj withShards(Json.Obj document, ArrayMetadata from) {
        if (from.storageTransformers().isEmpty()) {
            return document;
        }
        if (!(from.chunkGrid() instanceof RegularGrid grid)) {
            throw new UnsupportedException("/chunk_grid: expected transformed chunks of a regular grid, found "
                    + from.chunkGrid().name());
        }
        Json inner = document.get("codecs").orElseThrow();
        long[] shape = grid.chunkShape();
        for (StorageTransformer transformer : from.storageTransformers()) {
            StorageTransformer.Packing packing = packing(transformer, shape.length);
            long[] chunksPerShard = packing.chunksPerShard();
            Json[] codecs = ((Json.Arr) inner).items().toArray(Json[]::new);
            inner = new Json.Arr(List.of(Codecs.sharding(shape, packing.index(), codecs)));
            for (int d = 0; d < shape.length; d++) {
                shape[d] = Math.multiplyExact(shape[d], chunksPerShard[d]);
            }
        }
        Map<String, Json> members = new LinkedHashMap<>(document.members());
        members.remove("storage_transformers");
        members.put("chunk_grid", RegularGrid.metadata(shape));
        members.put("codecs", inner);
        return new Json.Obj(members);
    }

    /** Returns how a transformer packs chunks into shards. Throws if it does not pack chunks. */
    private static StorageTransformer.Packing packing(StorageTransformer transformer, int rank) {
        StorageTransformer.Packing packing = transformer
                .packing()
                .orElseThrow(
                        () -> new UnsupportedException(
                                "/storage_transformers: \"" + transformer.name()
                                        + "\" has no counterpart; expected transformers that pack chunks into shards; a copy stores plain chunks"));
        int found = packing.chunksPerShard().length;
        if (found != rank) {
            throw new UnsupportedException("/storage_transformers: expected " + rank + " numbers, found " + found);
        }
        return packing;
    }
}
