package dev.shardkit.ome.validation;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
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
 * The JSON schemas of one version of the OME-Zarr specification. They come from the GitHub repository ome/ngff-spec;
 * {@code conformance-tests/tools/make_ngff.py} bundles them as a resource. Immutable.
 */
final class SchemaSet {
    private static final Map<OmeVersion, SchemaSet> LOADED = new EnumMap<>(OmeVersion.class);
    /** Members of metadata, each with the schema for groups that have this member. */
    private static final Map<String, String> SCHEMA_BY_MEMBER = schemaByMember();

    /** Whether a validation requires only the required members, or also the recommended ones. */
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

    private static Map<String, String> schemaByMember() {
        Map<String, String> schemaByMember = new LinkedHashMap<>();
        schemaByMember.put("multiscales", "image");
        schemaByMember.put("image-label", "label");
        schemaByMember.put("plate", "plate");
        schemaByMember.put("well", "well");
        schemaByMember.put("scene", "scene");
        schemaByMember.put("bioformats2raw.layout", "bf2raw");
        schemaByMember.put("series", "ome");
        return schemaByMember;
    }

    /** Returns the schemas of a version, which the first call loads. */
    static synchronized SchemaSet of(OmeVersion version) {
        return LOADED.computeIfAbsent(version, SchemaSet::load);
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

    /** Checks each part of the metadata against its schema. Reports an error if no part has a schema. */
    void check(OmeMetadata metadata, String node, Strictness strictness, FindingCollector findings) {
        boolean isKnown = metadata.members().get("labels").isPresent();
        for (Map.Entry<String, String> schemaName : SCHEMA_BY_MEMBER.entrySet()) {
            Optional<String> schemaId = schemaId(schemaName.getValue(), strictness);
            if (schemaId.isPresent()
                    && metadata.members().get(schemaName.getKey()).isPresent()) {
                isKnown = true;
                for (JsonSchema.Problem problem : schemas.check(schemaId.get(), metadata.attributes())) {
                    findings.addError(
                            node, problem.member().replaceFirst("^ome\\.", ""), problem.expected(), problem.found());
                }
            }
        }
        if (!isKnown) {
            findings.addError(node, "", "one of the members " + SCHEMA_BY_MEMBER.keySet(), "none of them");
        }
    }

    /**
     * Returns the id of a schema, or of its strict variant if there is one; empty if this version has no such schema.
     */
    private Optional<String> schemaId(String schemaName, Strictness strictness) {
        String strict = id("strict_" + schemaName);
        if (strictness == Strictness.RECOMMENDED && schemas.hasSchema(strict)) {
            return Optional.of(strict);
        }
        return Optional.of(id(schemaName)).filter(schemas::hasSchema);
    }

    private String id(String name) {
        return "https://ngff.openmicroscopy.org/" + version.text() + "/schemas/" + name + ".schema";
    }
}
