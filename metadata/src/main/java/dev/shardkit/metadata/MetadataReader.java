package dev.shardkit.metadata;

import dev.shardkit.json.JsonReader;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a {@code zarr.json} of version 3, strictly. Missing, contradictory and wrongly typed members are errors, and so
 * are unknown ones that may not be ignored. Errors contain the JSON pointer; the caller adds the location of the
 * document. Thread-safe.
 */
public final class MetadataReader {
    private static final Set<String> GROUP_MEMBERS =
            Set.of("zarr_format", "node_type", "attributes", "consolidated_metadata", DocumentRemarks.MEMBER);
    private static final Set<String> CONSOLIDATED_MEMBERS = Set.of("kind", "must_understand", "metadata");

    /** The prefix by which drafts of 2020 to 2022 name their format. */
    private static final String DRAFT = "https://purl.org/zarr/spec/";

    private final Registry registry;
    private final Limits limits;
    private final boolean isForTranslations;

    /** Creates a reader that takes extensions from {@code registry}, within {@code limits}. */
    public MetadataReader(Registry registry, Limits limits) {
        this(registry, limits, false);
    }

    private MetadataReader(Registry registry, Limits limits, boolean isForTranslations) {
        this.registry = registry;
        this.limits = limits;
        this.isForTranslations = isForTranslations;
    }

    /**
     * Returns a reader of documents that node formats have translated. Numbers and booleans of compressors may be texts
     * there, because GDAL writes such texts into Zarr v2; remarks name them.
     */
    public MetadataReader forTranslations() {
        return new MetadataReader(registry, limits, true);
    }

    /**
     * Reads a document.
     *
     * @throws MetadataException if it is not a metadata document, or contradicts itself
     * @throws UnsupportedException if it needs an extension that no plug-in implements, or is of version 2
     */
    public NodeMetadata read(byte[] document) {
        return read(JsonReader.read(document, limits));
    }

    /** Reads a document; see {@link #read(byte[])}. */
    public NodeMetadata read(Bytes document) {
        if (document.size() > limits.metadataBytes()) {
            throw new MetadataException("expected a metadata document of at most " + limits.metadataBytes()
                    + " bytes (limit metadataBytes), found " + document.size());
        }
        return read(document.toArray());
    }

    /** Reads a parsed document; see {@link #read(byte[])}. */
    public NodeMetadata read(Json document) {
        return node(DocumentMembers.of(document, ""));
    }

    private NodeMetadata node(DocumentMembers members) {
        Json format = members.required("zarr_format");
        if (format.equals(Json.of(2))) {
            throw new UnsupportedException(
                    members.pointerTo("zarr_format") + ": Zarr v2 is not supported, only zarr_format 3");
        } else if (format instanceof Json.Str s && s.value().startsWith(DRAFT)) {
            throw new UnsupportedException(
                    members.pointerTo("zarr_format") + ": the drafts of Zarr v3 are not supported, only zarr_format 3");
        } else if (!format.equals(Json.of(3))) {
            throw Config.expected(members.pointerTo("zarr_format"), "3", format);
        }
        Json type = members.required("node_type");
        if (type.equals(Json.of("array"))) {
            return new ArrayReader(registry, limits, isForTranslations).read(members);
        } else if (type.equals(Json.of("group"))) {
            return group(members);
        }
        throw Config.expected(members.pointerTo("node_type"), "\"array\" or \"group\"", type);
    }

    private GroupMetadata group(DocumentMembers members) {
        Json.Obj others = members.otherMembers(GROUP_MEMBERS);
        Json.Obj attributes = members.objectAt("attributes").orElseGet(Json::object);
        List<String> remarks = DocumentRemarks.of(members.object());
        // Some writers store null if there are no consolidated metadata.
        Optional<Json> consolidatedJson =
                members.get("consolidated_metadata").filter(json -> !(json instanceof Json.Null));
        if (consolidatedJson.isEmpty()) {
            return new GroupMetadata(attributes, Optional.empty(), others, remarks);
        }
        DocumentMembers consolidated =
                DocumentMembers.of(consolidatedJson.get(), members.pointerTo("consolidated_metadata"));
        if (isOfOtherKind(consolidated)) {
            Map<String, Json> otherMembers = new LinkedHashMap<>(others.members());
            otherMembers.put("consolidated_metadata", consolidatedJson.get());
            return new GroupMetadata(attributes, Optional.empty(), new Json.Obj(otherMembers), remarks);
        }
        consolidated.otherMembers(CONSOLIDATED_MEMBERS);
        return new GroupMetadata(attributes, Optional.of(nodes(consolidated)), others, remarks);
    }

    /** Returns whether the consolidated metadata is of an unknown kind that may be ignored. */
    private static boolean isOfOtherKind(DocumentMembers consolidated) {
        Json kind = consolidated.required("kind");
        Json required = consolidated.get("must_understand").orElseGet(() -> Json.of(true));
        if (!(required instanceof Json.Bool flag)) {
            throw Config.expected(consolidated.pointerTo("must_understand"), "true or false", required);
        }
        if (!(kind instanceof Json.Str)) {
            throw Config.expected(consolidated.pointerTo("kind"), "\"inline\"", kind);
        }
        boolean isOther = !kind.equals(Json.of("inline"));
        if (isOther && flag.value()) {
            throw new UnsupportedException(consolidated.pointerTo("kind") + ": expected \"inline\", found " + kind);
        }
        return isOther;
    }

    /** Reads the documents of the descendants, by path. */
    private Map<String, NodeMetadata> nodes(DocumentMembers consolidated) {
        DocumentMembers documents =
                DocumentMembers.of(consolidated.required("metadata"), consolidated.pointerTo("metadata"));
        Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
        documents.object().members().forEach((path, document) -> {
            checkPath(path, documents.pointerTo(path));
            nodes.put(path, descendant(DocumentMembers.of(document, documents.pointerTo(path))));
        });
        nodes.keySet().forEach(path -> checkParents(path, nodes, documents));
        return nodes;
    }

    /** Reads a descendant. A descendant that needs a missing plug-in does not affect the others. */
    private NodeMetadata descendant(DocumentMembers document) {
        if (document.get("zarr_format").equals(Optional.of(Json.of(2)))) {
            throw new MetadataException(document.pointerTo("zarr_format") + ": expected 3 as above it, found 2");
        }
        try {
            NodeMetadata node = node(document);
            // Writers store an empty consolidated_metadata in every group below, so it carries no information.
            return node instanceof GroupMetadata g ? g.withoutConsolidated() : node;
        } catch (UnsupportedException e) {
            return new UnsupportedNode(document.object(), e);
        }
    }

    private static void checkPath(String path, String pointer) {
        try {
            if (path.isEmpty() || path.startsWith("/")) {
                throw new MetadataException("expected a path below the group, such as a/b, found \"" + path + "\"");
            }
            NodePath.of(path);
        } catch (MetadataException e) {
            throw new MetadataException(pointer + ": " + e.fact(), e);
        }
    }

    /** Rejects a node below an array. */
    private static void checkParents(String path, Map<String, NodeMetadata> nodes, DocumentMembers documents) {
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            if (nodes.get(path.substring(0, slash)) instanceof ArrayMetadata) {
                throw new MetadataException(documents.pointerTo(path) + ": lies below an array");
            }
        }
    }
}
