package dev.shardkit.zarrv2;

import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The node format Zarr v2: converts its documents to documents of Zarr v3. For an array, reads {@code .zarray} and
 * {@code .zattrs}. If there is no {@code .zarray}, reads {@code .zgroup}, then {@code .zattrs} and {@code .zmetadata}
 * in parallel. Stateless and thread-safe.
 */
public final class V2Format implements NodeFormat {
    /** The name of this node format. */
    public static final String NAME = "zarr_v2";

    static final String ARRAY = ".zarray";
    static final String GROUP = ".zgroup";
    static final String ATTRIBUTES = ".zattrs";
    static final String CONSOLIDATED = ".zmetadata";

    /** Creates the format; called by the service loader. */
    public V2Format() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Set<String> documentNames() {
        return Set.of(ARRAY, GROUP, ATTRIBUTES, CONSOLIDATED);
    }

    @Override
    public Plan<Optional<Node>> find(String path, Documents documents) {
        return documents
                .read(StoreKeys.join(path, ARRAY))
                .then(array -> array.isPresent()
                        ? documents
                                .read(StoreKeys.join(path, ATTRIBUTES))
                                .map(attributes -> Optional.of(Node.at(
                                        path,
                                        V2Array.toDocument(
                                                V2Members.parse(array.get(), ARRAY),
                                                attributesIn(attributes.orElse(null))))))
                        : findGroup(path, documents));
    }

    /** Finds the group at {@code path}. */
    private static Plan<Optional<Node>> findGroup(String path, Documents documents) {
        return documents.read(StoreKeys.join(path, GROUP)).then(group -> {
            if (group.isEmpty()) {
                return Plan.done(Optional.empty());
            }
            List<String> remarks = V2Members.parse(group.get(), GROUP).checkVersion();
            return Plan.all(2, i -> documents.read(StoreKeys.join(path, i == 0 ? ATTRIBUTES : CONSOLIDATED)))
                    .map(found -> Optional.of(Node.at(
                            path,
                            DocumentRemarks.add(
                                    groupDocument(
                                            attributesIn(found.get(0).orElse(null)),
                                            found.get(1).orElse(null)),
                                    remarks))));
        });
    }

    /** Returns the document of a group in Zarr v3, with its consolidated metadata if there are any. */
    private static Json.Obj groupDocument(Json.Obj attributes, @Nullable Json consolidated) {
        Json.Obj group = groupDocument(attributes);
        return consolidated == null
                ? group
                : group.with(
                        "consolidated_metadata",
                        new Json.Obj(Map.of(
                                "kind",
                                Json.of("inline"),
                                "must_understand",
                                Json.of(false),
                                "metadata",
                                V2Consolidated.toDocuments(consolidated))));
    }

    /** Returns the document of a group in Zarr v3. */
    static Json.Obj groupDocument(Json.Obj attributes) {
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("group"))
                .with("attributes", attributes);
    }

    private static Json.Obj attributesIn(@Nullable Json document) {
        return document == null
                ? Json.object()
                : V2Members.parse(document, ATTRIBUTES).object();
    }
}
