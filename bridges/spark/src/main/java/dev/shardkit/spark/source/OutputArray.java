package dev.shardkit.spark.source;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.store.Store;
import java.io.Serializable;

/**
 * An array that the tasks of a write fill. Immutable.
 *
 * @param name the name of its column
 * @param path its path in the target's store
 * @param document its metadata, as {@code zarr.json}
 * @param kind how the column's values become elements
 */
record OutputArray(String name, String path, byte[] document, Column kind) implements Serializable {
    private static final long serialVersionUID = 1L;

    static OutputArray of(String name, String path, ArrayMetadata metadata, boolean steps) {
        return new OutputArray(name, path, MetadataWriter.write(metadata), Column.of(metadata.dataType(), path, steps));
    }

    /** Parses the metadata, which is serialized as a document. */
    ArrayMetadata metadata(ZarrOptions options) {
        return (ArrayMetadata) new MetadataReader(options.registry(), options.limits()).read(document);
    }

    /** Opens the array with the metadata that it will have. */
    ZarrArray open(Store store, ZarrOptions options) {
        return Zarr.openArray(store, path, metadata(options), options);
    }
}
