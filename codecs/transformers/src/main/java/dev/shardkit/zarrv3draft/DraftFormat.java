package dev.shardkit.zarrv3draft;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import java.util.List;
import java.util.Optional;

/**
 * The node format of the Zarr v3 core draft of 2020 to 2022: finds arrays and groups in stores of the draft. The root's
 * {@code zarr.json} identifies such a store; documents are stored below {@code meta/root} and chunks below
 * {@code data/root}. A group needs no document: it exists if the store has any key below it. Stateless and thread-safe.
 */
public final class DraftFormat implements NodeFormat {
    /** The name of this node format. */
    public static final String NAME = "zarr_v3_draft";

    private static final String ROOT = "zarr.json";
    private static final String ARRAY = ".array.json";
    private static final String GROUP = ".group.json";

    /** Creates the format; called by the service loader. */
    public DraftFormat() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Optional<String> rootDocument() {
        return Optional.of(ROOT);
    }

    @Override
    public Plan<Optional<Node>> find(String path, Documents documents) {
        return documents.read(ROOT).then(root -> {
            if (root.isEmpty() || !DraftArray.isDraft(root.get())) {
                return Plan.done(Optional.empty());
            }
            Json suffix = ((Json.Obj) root.get()).get("metadata_key_suffix").orElseGet(() -> Json.of(".json"));
            if (!suffix.equals(Json.of(".json"))) {
                throw Config.expected(ROOT + ": /metadata_key_suffix", "\".json\"", suffix);
            }
            return documents
                    .read(DraftArray.documentKey(path))
                    .then(array -> array.isPresent()
                            ? Plan.done(Optional.of(array(path, array.get())))
                            : group(path, documents));
        });
    }

    /** Converts the document of an array. Errors name the document. */
    private static Node array(String path, Json json) {
        String document = DraftArray.documentKey(path);
        try {
            DraftArray array = DraftArray.of(path, DraftArray.object(json, "the document"));
            return new Node(array.document(), array.dataPath(), Evidence.STATED, children(path));
        } catch (ZarrException e) {
            String fact = StoreKeys.name(document) + ": " + e.fact();
            throw e instanceof UnsupportedException
                    ? new UnsupportedException(fact, e)
                    : new MetadataException(fact, e);
        }
    }

    /** Reads the document of a group. Without a document, the group exists only if there are keys below it. */
    private static Plan<Optional<Node>> group(String path, Documents documents) {
        String key = StoreKeys.join("meta/root", path) + GROUP;
        return documents.read(key).map(group -> {
            Json.Obj stated = group.map(json -> DraftArray.object(json, key)).orElseGet(Json::object);
            Json.Obj attributes =
                    DraftArray.object(stated.get("attributes").orElseGet(Json::object), key + ": /attributes");
            Json.Obj document = Json.object()
                    .with("zarr_format", Json.of(3))
                    .with("node_type", Json.of("group"))
                    .with("attributes", attributes);
            Evidence evidence = group.isPresent() || path.isEmpty() ? Evidence.STATED : Evidence.IMPLIED;
            return Optional.of(new Node(document, path, evidence, children(path)));
        });
    }

    private static Children children(String path) {
        return new Children(StoreKeys.join("meta/root", path), List.of(ARRAY, GROUP));
    }
}
