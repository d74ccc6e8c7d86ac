package dev.shardkit.metadata;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes metadata of version 3, in the long form that readers of specification 3.0 accept too. Extensions are objects;
 * empty and absent members are omitted. Thread-safe.
 */
public final class MetadataWriter {
    private MetadataWriter() {}

    /** Returns the bytes of the node's {@code zarr.json}. */
    public static byte[] write(NodeMetadata node) {
        return JsonPrinter.print(document(node));
    }

    /**
     * Returns the bytes of the node's {@code zarr.json}, which a reader accepts under the same limits.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the document exceeds the limits
     */
    public static byte[] write(NodeMetadata node, Limits limits) {
        return JsonPrinter.print(document(node), limits);
    }

    /** Returns the node's document. */
    public static Json.Obj document(NodeMetadata node) {
        if (node instanceof ArrayMetadata a) {
            return array(a);
        }
        return node instanceof GroupMetadata g ? group(g) : ((UnsupportedNode) node).document();
    }

    private static Json.Obj array(ArrayMetadata a) {
        Map<String, Json> members = start("array");
        members.put("shape", Json.of(a.shape()));
        members.put("data_type", a.dataType().json());
        members.put(
                "chunk_grid", Json.extension(a.chunkGrid().name(), a.chunkGrid().configuration()));
        members.put(
                "chunk_key_encoding",
                Json.extension(a.chunkKeyEncoding().name(), a.chunkKeyEncoding().configuration()));
        members.put("fill_value", a.statedFill().orElseGet(() -> a.dataType().formatFill(a.fillValue())));
        members.put(
                "codecs",
                a.statedCodecs().orElseGet(() -> new Json.Arr(a.codecs().json())));
        members.put("attributes", a.attributes());
        if (!a.storageTransformers().isEmpty()) {
            List<Json> transformers = new ArrayList<>();
            for (StorageTransformer t : a.storageTransformers()) {
                transformers.add(Json.extension(t.name(), t.configuration()));
            }
            members.put("storage_transformers", new Json.Arr(transformers));
        }
        a.dimensionNames().ifPresent(names -> members.put("dimension_names", dimensionNames(names)));
        members.putAll(a.otherMembers().members());
        return new Json.Obj(members);
    }

    private static Json dimensionNames(List<Optional<String>> names) {
        List<Json> items = new ArrayList<>();
        for (Optional<String> name : names) {
            items.add(name.<Json>map(Json.Str::new).orElseGet(Json.Null::new));
        }
        return new Json.Arr(items);
    }

    private static Json.Obj group(GroupMetadata g) {
        Map<String, Json> members = start("group");
        members.put("attributes", g.attributes());
        g.consolidated().ifPresent(nodes -> members.put("consolidated_metadata", consolidated(nodes)));
        members.putAll(g.otherMembers().members());
        return new Json.Obj(members);
    }

    private static Json consolidated(Map<String, NodeMetadata> nodes) {
        Map<String, Json> documents = new LinkedHashMap<>();
        nodes.forEach((path, node) -> documents.put(path, document(node)));
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("kind", Json.of("inline"));
        members.put("must_understand", Json.of(false));
        members.put("metadata", new Json.Obj(documents));
        return new Json.Obj(members);
    }

    private static Map<String, Json> start(String nodeType) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("zarr_format", Json.of(3));
        members.put("node_type", Json.of(nodeType));
        return members;
    }
}
