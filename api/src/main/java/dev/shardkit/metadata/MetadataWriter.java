package dev.shardkit.metadata;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes metadata of format 3, in the long form that readers of version 3.0 of the specification understand too:
 * extensions are objects, members that are empty or absent are left out. Thread-safe.
 */
public final class MetadataWriter {
    private MetadataWriter() {}

    /** The bytes of the node's {@code zarr.json}. */
    public static byte[] write(NodeMetadata node) {
        return JsonPrinter.print(document(node));
    }

    /** The node's document. */
    public static Json.Obj document(NodeMetadata node) {
        if (node instanceof ArrayMetadata a) {
            return array(a);
        }
        return node instanceof GroupMetadata g ? group(g) : ((UnsupportedNode) node).document();
    }

    /** The long form of an extension; an empty configuration is left out. */
    public static Json.Obj extension(String name, Json.Obj configuration) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("name", Json.of(name));
        if (!configuration.members().isEmpty()) {
            members.put("configuration", configuration);
        }
        return new Json.Obj(members);
    }

    private static Json.Obj array(ArrayMetadata a) {
        Map<String, Json> members = start("array");
        members.put("shape", Json.of(a.shape()));
        members.put("data_type", dataType(a));
        members.put("chunk_grid", extension(a.chunkGrid().name(), a.chunkGrid().configuration()));
        members.put(
                "chunk_key_encoding",
                extension(a.chunkKeyEncoding().name(), a.chunkKeyEncoding().configuration()));
        members.put("fill_value", a.dataType().formatFill(a.fillValue()));
        members.put("codecs", a.statedCodecs().orElseGet(() -> codecs(a.codecs().codecs())));
        members.put("attributes", a.attributes());
        if (!a.storageTransformers().isEmpty()) {
            List<Json> transformers = new ArrayList<>();
            for (StorageTransformer t : a.storageTransformers()) {
                transformers.add(extension(t.name(), t.configuration()));
            }
            members.put("storage_transformers", new Json.Arr(transformers));
        }
        a.dimensionNames().ifPresent(names -> members.put("dimension_names", dimensionNames(names)));
        members.putAll(a.otherMembers().members());
        return new Json.Obj(members);
    }

    /** Core types are bare names in every version; only types with a configuration are objects. */
    private static Json dataType(ArrayMetadata a) {
        Json.Obj configuration = a.dataType().configuration();
        return configuration.members().isEmpty()
                ? Json.of(a.dataType().name())
                : extension(a.dataType().name(), configuration);
    }

    private static Json codecs(List<Codec> codecs) {
        List<Json> items = new ArrayList<>();
        for (Codec c : codecs) {
            items.add(extension(c.name(), c.configuration()));
        }
        return new Json.Arr(items);
    }

    private static Json dimensionNames(List<Optional<String>> names) {
        List<Json> items = new ArrayList<>();
        for (Optional<String> n : names) {
            items.add(n.<Json>map(Json.Str::new).orElseGet(Json.Null::new));
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
