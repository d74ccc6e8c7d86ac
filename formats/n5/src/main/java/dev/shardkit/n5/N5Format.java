package dev.shardkit.n5;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.GroupCreation;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The node format N5: translates each {@code attributes.json} to the equivalent {@code zarr.json}. A folder without
 * this document is a group if its nearest ancestor with the document is a group. Stateless and thread-safe.
 */
public final class N5Format implements NodeFormat {
    /** The name of this node format. */
    public static final String NAME = "n5";

    static final String DOCUMENT = "attributes.json";

    /** Creates the format; called by the service loader. */
    public N5Format() {}

    @Override
    public String name() {
        return NAME;
    }

    /** Returns a lower priority than the formats of Zarr, because a folder may have documents of both. */
    @Override
    public int priority() {
        return Extension.BUILT_IN - 1;
    }

    @Override
    public Search search() {
        return Search.LOCAL;
    }

    @Override
    public Set<String> documentNames() {
        return Set.of(DOCUMENT);
    }

    @Override
    public Optional<ArrayCreation> arrayCreation() {
        return Optional.of(new N5ArrayCreation());
    }

    @Override
    public Optional<GroupCreation> groupCreation() {
        return Optional.of(new N5GroupCreation());
    }

    @Override
    public Plan<Optional<Node>> find(String path, Documents documents) {
        return documents
                .read(documentKey(path))
                .then(found -> found.isPresent()
                        ? Plan.done(Optional.of(Node.at(path, toDocument(requireObject(found.get())))))
                        : findImplied(path, parent(path), documents));
    }

    /** Finds the implied group at {@code path} by the nearest document in {@code ancestor} or above it. */
    private static Plan<Optional<Node>> findImplied(String path, @Nullable String ancestor, Documents documents) {
        if (ancestor == null) {
            return Plan.done(Optional.empty());
        }
        return documents.read(documentKey(ancestor)).then(found -> {
            if (found.isEmpty()) {
                return findImplied(path, parent(ancestor), documents);
            }
            boolean isGroup = found.get() instanceof Json.Obj attributes && !N5Array.isArray(attributes);
            return Plan.done(isGroup ? Optional.of(impliedGroup(path)) : Optional.empty());
        });
    }

    /** Returns a group without a document, whose children a listing finds. */
    private static Node impliedGroup(String path) {
        return new Node(groupDocument(Json.object()), path, Evidence.IMPLIED, new Children(path, List.of()));
    }

    private static Json.Obj toDocument(Json.Obj attributes) {
        return N5Array.isArray(attributes) ? N5Array.toDocument(attributes) : groupDocument(attributes);
    }

    private static Json.Obj groupDocument(Json.Obj attributes) {
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("group"))
                .with("attributes", N5Array.userAttributes(attributes));
    }

    private static Json.Obj requireObject(Json json) {
        if (json instanceof Json.Obj attributes) {
            return attributes;
        }
        throw Config.expected(DOCUMENT, "an object", json);
    }

    private static @Nullable String parent(String path) {
        return path.isEmpty() ? null : path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private static String documentKey(String path) {
        return StoreKeys.join(path, DOCUMENT);
    }
}
