package dev.shardkit.maintenance;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.session.FoundNode;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The grid mapping variables of arrays: siblings that the attribute {@code grid_mapping} names, and whose attributes
 * say which coordinate reference system the array has (CF conventions, section 5.6). Stateless.
 */
final class GridMappings {
    private static final String ATTRIBUTE = "grid_mapping";
    /** Attributes of a grid mapping that say nothing of the system, or that a part of a grid has of its own. */
    private static final List<String> OTHERS =
            List.of("GeoTransform", "long_name", "comment", "history", "description", "title", "_ARRAY_DIMENSIONS");

    private GridMappings() {}

    /**
     * Refuses arrays whose grid mapping variables differ. Variables that are not found are not compared.
     *
     * @param nodes the arrays
     * @param metadata their metadata
     */
    static void check(List<StoredNode> nodes, List<ArrayMetadata> metadata, ZarrOptions options) {
        for (String name : names(metadata.get(0))) {
            Optional<Json.Obj> first = attributes(nodes.get(0), name, options);
            for (int i = 1; i < nodes.size() && first.isPresent(); i++) {
                Optional<Json.Obj> other = attributes(nodes.get(i), name, options);
                if (other.isPresent()) {
                    compare(
                            name,
                            first.get(),
                            nodes.get(0).location(),
                            other.get(),
                            nodes.get(i).location());
                }
            }
        }
    }

    private static void compare(String name, Json.Obj a, String first, Json.Obj b, String second) {
        Set<String> all = new TreeSet<>(a.members().keySet());
        all.addAll(b.members().keySet());
        for (String attribute : all) {
            if (!OTHERS.contains(attribute) && !DecodingAttributes.same(attribute, a, b)) {
                throw new MetadataException(
                        "the new array has the coordinate reference system of the first one, so the "
                                + "grid mappings of the arrays must be the same: expected " + attribute + " = "
                                + value(a, attribute) + " as in " + name + " beside " + first + ", found "
                                + value(b, attribute)
                                + " in " + name + " beside " + second);
            }
        }
    }

    private static String value(Json.Obj attributes, String name) {
        return attributes.get(name).map(Json::toString).orElse("no " + name);
    }

    /** Returns the names of variables in {@code crs} or, in the extended form, {@code crs: x y other: lat lon}. */
    private static List<String> names(ArrayMetadata array) {
        String text = array.attributes()
                .get(ATTRIBUTE)
                .map(value -> value instanceof Json.Str s ? s.value().strip() : "")
                .orElse("");
        if (!text.contains(":")) {
            return text.isEmpty() ? List.of() : List.of(text);
        }
        List<String> names = new ArrayList<>();
        for (String word : text.split("\\s+")) {
            if (word.endsWith(":")) {
                names.add(word.substring(0, word.length() - 1));
            }
        }
        return names;
    }

    /** Returns the attributes of a sibling of {@code array}; empty if there is none that can be read. */
    private static Optional<Json.Obj> attributes(StoredNode array, String name, ZarrOptions options) {
        try {
            return array.path().isEmpty()
                    ? beside(array.location(), name, options)
                    : find(new StoredNode(array.session(), StoreKeys.join(StoreKeys.parent(array.path()), name)));
        } catch (ZarrException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Json.Obj> find(StoredNode node) {
        return node.call(node::find).map(FoundNode::metadata).map(NodeMetadata::attributes);
    }

    /** Opens the sibling of the node at the root of a store, by its location. */
    private static Optional<Json.Obj> beside(String place, String name, ZarrOptions options) {
        return LocalFolders.of(place)
                .map(folder -> Optional.ofNullable(folder.getParent()).map(Object::toString))
                .orElseGet(() -> above(place))
                .flatMap(group -> {
                    try (Store store = Zarr.openStore(group, options)) {
                        return Zarr.find(store, name, options).map(ZarrNode::attributes);
                    }
                });
    }

    private static Optional<String> above(String place) {
        int end = Math.max(place.lastIndexOf('/'), place.lastIndexOf('!'));
        return end <= 0 ? Optional.empty() : Optional.of(place.substring(0, end));
    }
}
