package dev.shardkit.zarrv2;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Documents given by hand, and what the format makes of them. */
final class Found {
    private final Map<String, Json> documents = new LinkedHashMap<>();
    final List<String> asked = new ArrayList<>();

    Found with(String key, String json) {
        documents.put(key, json(json));
        return this;
    }

    static Json json(String text) {
        return ((Json.Obj) JsonDocuments.read("{\"attributes\":" + text + "}", Limits.defaults()))
                .get("attributes")
                .orElseThrow();
    }

    Optional<NodeFormat.Node> at(String path) {
        Plan<Optional<NodeFormat.Node>> plan = new V2Format().find(path, new NodeFormat.Documents() {
            @Override
            public Plan<Optional<Json>> read(String key) {
                asked.add(key);
                return Plan.done(Optional.ofNullable(documents.get(key)));
            }

            @Override
            public Plan<Optional<Bytes>> bytes(String key, long most) {
                throw new AssertionError("Zarr v2 has no binary documents: " + key);
            }
        });
        while (plan instanceof Plan.Join<?, Optional<NodeFormat.Node>> join) {
            plan = joined(join);
        }
        return ((Plan.Done<Optional<NodeFormat.Node>>) plan).value();
    }

    private static <E, T> Plan<T> joined(Plan.Join<E, T> join) {
        var gather = join.gather().get();
        for (long i = 0; i < join.count(); i++) {
            gather.accept(i, ((Plan.Done<E>) join.part().apply(i)).value());
        }
        return gather.finish();
    }

    /** The document of an array whose {@code .zarray} has these members beside the usual ones. */
    static Json.Obj array(String... members) {
        Json.Obj document = (Json.Obj) json("""
        {"zarr_format": 2, "shape": [5, 7], "chunks": [3, 4], "dtype": "<i4", "fill_value": 0, "order": "C",
         "filters": null, "compressor": null}""");
        for (String member : members) {
            for (var m : ((Json.Obj) json("{" + member + "}")).members().entrySet()) {
                document = document.with(m.getKey(), m.getValue());
            }
        }
        return new Found()
                .with(".zarray", document.toString())
                .at("")
                .orElseThrow()
                .document();
    }
}
