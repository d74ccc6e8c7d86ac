package dev.shardkit.fuzz;

import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;

/**
 * Fuzz target for rectilinear chunk grids. The input is the JSON of the grid's {@code chunk_shapes}, optionally
 * followed by a zero byte and the JSON of the array's shape.
 */
final class Grids {
    private Grids() {}

    static void run(byte[] input) {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        int cut = text.indexOf('\0');
        String shapes = cut < 0 ? text : text.substring(0, cut);
        String shape = cut < 0 ? "[10, 10]" : text.substring(cut + 1);
        Store store = MemoryStore.create();
        Stored.put(
                store,
                "zarr.json",
                ("{\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": " + shape
                                + ", \"data_type\": \"uint8\", \"chunk_grid\": {\"name\": \"rectilinear\", \"configuration\": "
                                + "{\"kind\": \"inline\", \"chunk_shapes\": " + shapes
                                + "}}, \"chunk_key_encoding\": {\"name\": \"default\"}, "
                                + "\"fill_value\": 7, \"codecs\": [{\"name\": \"bytes\"}]}")
                        .getBytes(StandardCharsets.UTF_8));
        MetadataDocuments.open(store, "");
    }
}
