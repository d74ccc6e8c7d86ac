package dev.shardkit.ome;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON schemas of one version of the specification. They are those of the repository ome/ngff-spec, bundled by
 * {@code conformance-tests/tools/make_ngff.py}. Immutable.
 */
final class SchemaSet {
    private static final Map<OmeVersion, SchemaSet> KNOWN = new EnumMap<>(OmeVersion.class);
    /** The member that makes a group what a schema describes. */
    private static final Map<String, String> KINDS = kinds();

    /** Which members are demanded. */
    enum Strictness {
        REQUIRED,
        RECOMMENDED
    }

    private final OmeVersion version;
    private final JsonSchema schemas;

    private SchemaSet(OmeVersion version, JsonSchema schemas) {
        this.version = version;
        this.schemas = schemas;
    }

    private static Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("multiscales", "image");
        kinds.put("image-label", "label");
        kinds.put("plate", "plate");
        kinds.put("well", "well");
        kinds.put("scene", "scene");
        kinds.put("bioformats2raw.layout", "bf2raw");
        kinds.put("series", "ome");
        return kinds;
    }

    static synchronized SchemaSet of(OmeVersion version) {
        return KNOWN.computeIfAbsent(version, SchemaSet::load);
    }

    private static SchemaSet load(OmeVersion version) {
        String resource = "schemas-" + version.text() + ".json";
        try (InputStream in = SchemaSet.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("shardkit-ome has no " + resource);
            }
            Json.Obj document = (Json.Obj) JsonDocuments.read(in.readAllBytes(), Limits.defaults());
            Map<String, Json> byId = new LinkedHashMap<>();
            ((Json.Obj) document.get("schemas").orElseThrow()).members().forEach(byId::put);
            return new SchemaSet(version, new JsonSchema(byId));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks each part of the metadata by its schema. Metadata without a part that has a schema are an error. */
    void check(OmeMetadata metadata, Strictness strictness, Findings findings) {
        boolean isKnown = metadata.members().get("labels").isPresent();
        for (Map.Entry<String, String> kind : KINDS.entrySet()) {
            Optional<String> schema = schema(kind.getValue(), strictness);
            if (schema.isPresent() && metadata.members().get(kind.getKey()).isPresent()) {
                isKnown = true;
                for (JsonSchema.Problem problem : schemas.check(schema.get(), metadata.attributes())) {
                    findings.error(
                            metadata.node(),
                            problem.member().replaceFirst("^ome\\.", ""),
                            problem.expected(),
                            problem.found());
                }
            }
        }
        if (!isKnown) {
            findings.error(metadata.node(), "", "one of the members " + KINDS.keySet(), "none of them");
        }
    }

    private Optional<String> schema(String kind, Strictness strictness) {
        String strict = id("strict_" + kind);
        if (strictness == Strictness.RECOMMENDED && schemas.has(strict)) {
            return Optional.of(strict);
        }
        return Optional.of(id(kind)).filter(schemas::has);
    }

    private String id(String name) {
        return "https://ngff.openmicroscopy.org/" + version.text() + "/schemas/" + name + ".schema";
    }
}
