package dev.shardkit.hdf5;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * References to the groups and datasets of an HDF5 or NetCDF4 file. They describe the file as nodes of Zarr v2, in the
 * format of kerchunk, which fsspec and zarr-python read. Immutable.
 *
 * @param references the references by key; put them under {@code refs} of a document of version 1
 * @param leftOut the datasets that Zarr v2 cannot express, each with the reason
 * @param notes the datasets whose values xarray reads differently from HDF5, and the omitted attributes, each with the
 *     reason
 */
public record Hdf5References(Json.Obj references, List<String> leftOut, List<String> notes) {
    /** Copies the lists. */
    public Hdf5References {
        leftOut = List.copyOf(leftOut);
        notes = List.copyOf(notes);
    }

    /**
     * Reads the structures of a file, but no chunks.
     *
     * @param store the store of the file
     * @param key the key of the file
     * @param path the path of a group or dataset of the file; empty for the root group
     * @param url the URL of the file for the references
     * @throws StoreException if there is no such file, group or dataset
     */
    public static Hdf5References of(Store store, String key, String path, String url) throws IOException {
        try (ObjectSnapshot file = BlockingStore.to(store)
                .open(key)
                .orElseThrow(() -> new StoreException("there is no file " + key + " in " + store.describe()))) {
            KerchunkDocuments documents = new KerchunkDocuments(file, url);
            FileTree.read(file, path.replaceAll("^/+|/+$", ""), false, documents);
            file.confirm();
            return documents.toReferences();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
