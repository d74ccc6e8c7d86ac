package dev.shardkit.maintenance.concat;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.base.LocalFolders;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.session.FoundNode;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The coordinate reference systems of arrays, as far as other nodes say them. Stateless.
 *
 * <ul>
 *   <li>Grid mapping variables, which the attribute {@code grid_mapping} names (CF conventions, section 5.6), beside
 *       the array or in a group above it. Without the attribute, {@code spatial_ref} and {@code crs} as rioxarray and
 *       others write them.
 *   <li>Attributes of groups above the array, such as {@code crs} and {@code proj:code} (GeoZarr). The nearest group
 *       counts, and an attribute of the array itself before it.
 * </ul>
 */
final class GridMappings {
    private static final String ATTRIBUTE = "grid_mapping";
    /** Attributes of a grid mapping that say nothing of the system, or that a part of a grid has of its own. */
    private static final List<String> OTHERS =
            List.of("GeoTransform", "long_name", "comment", "history", "description", "title", "_ARRAY_DIMENSIONS");
    /** Variables that are grid mappings without being named. */
    private static final List<String> USUAL = List.of("spatial_ref", "crs");
    /** One of these makes such a variable a grid mapping. */
    private static final List<String> MARKS = List.of("grid_mapping_name", "crs_wkt", "spatial_ref", "epsg_code");
    /** A tree is not deeper in practice; links may be endless. */
    private static final int MAX_GROUPS = 32;

    private GridMappings() {}

    /**
     * A group above an array, or the place of one.
     *
     * @param location its location
     * @param attributes its attributes; empty if there is no group that can be read
     * @param variables finds the attributes of a node in it
     */
    private record Above(
            String location, Optional<Json.Obj> attributes, Function<String, Optional<Json.Obj>> variables) {}

    /**
     * Refuses arrays whose reference systems differ. Variables that are not found are not compared, nor are arrays
     * without a group above them.
     *
     * @param nodes the arrays
     * @param metadata their metadata
     */
    static void check(List<StoredNode> nodes, List<ArrayMetadata> metadata, ZarrOptions options) {
        if (nodes.size() < 2) {
            return;
        }
        List<Above> first = above(nodes.get(0), options);
        List<String> mappings = names(metadata.get(0).attributes());
        if (mappings.isEmpty()) {
            mappings = inherited(first, ATTRIBUTE).map(GridMappings::names).orElse(List.of());
        }
        boolean areNamed = !mappings.isEmpty();
        Map<String, Json.Obj> own = new LinkedHashMap<>();
        for (String name : areNamed ? mappings : USUAL) {
            variable(first, name)
                    .filter(found -> areNamed || isMapping(found))
                    .ifPresent(found -> own.put(name, found));
        }
        for (int i = 1; i < nodes.size(); i++) {
            List<Above> other = above(nodes.get(i), options);
            String one = nodes.get(0).location();
            String two = nodes.get(i).location();
            compareGroups(first, one, other, two, metadata.get(0).attributes());
            own.forEach((name, mapping) -> variable(other, name)
                    .filter(found -> areNamed || isMapping(found))
                    .ifPresent(found -> compare(name, mapping, one, found, two)));
        }
    }

    private static boolean isMapping(Json.Obj attributes) {
        return MARKS.stream().anyMatch(name -> attributes.get(name).isPresent());
    }

    /** Compares what the groups above two arrays say of their reference systems. */
    private static void compareGroups(List<Above> a, String first, List<Above> b, String second, Json.Obj own) {
        if (!hasGroup(a) || !hasGroup(b)) {
            return;
        }
        for (String name : DecodingAttributes.referenceSystems()) {
            Json.Obj one = inherited(a, name).orElse(Json.object());
            Json.Obj other = inherited(b, name).orElse(Json.object());
            if (own.get(name).isEmpty() && !DecodingAttributes.same(name, one, other)) {
                throw new MetadataException(
                        "the new array has the coordinate reference system of the first one, so the "
                                + "groups above the arrays must state the same: expected " + name + " = "
                                + value(one, name)
                                + " as in a group above " + first + ", found " + value(other, name) + " above "
                                + second);
            }
        }
    }

    private static boolean hasGroup(List<Above> groups) {
        return groups.stream().anyMatch(group -> group.attributes().isPresent());
    }

    /** Returns the attributes of the nearest group that has one of this name. */
    private static Optional<Json.Obj> inherited(List<Above> groups, String name) {
        return groups.stream()
                .flatMap(group -> group.attributes().stream())
                .filter(attributes -> attributes.get(name).isPresent())
                .findFirst();
    }

    /** Returns the attributes of the nearest variable of this name. */
    private static Optional<Json.Obj> variable(List<Above> groups, String name) {
        return groups.stream()
                .flatMap(group -> quietly(() -> group.variables().apply(name)).stream())
                .findFirst();
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
    private static List<String> names(Json.Obj attributes) {
        String text = attributes
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

    /** Returns the places above an array, the nearest first: in its store, and from the root of the store on. */
    private static List<Above> above(StoredNode array, ZarrOptions options) {
        List<Above> groups = new ArrayList<>();
        String path = array.path();
        while (!path.isEmpty() && groups.size() < MAX_GROUPS) {
            path = StoreKeys.parent(path);
            String own = path;
            StoredNode place = new StoredNode(array.session(), own);
            groups.add(new Above(
                    place.location(),
                    quietly(() -> find(place)),
                    name -> find(new StoredNode(array.session(), StoreKeys.join(own, name)))));
        }
        Optional<String> outer = parent(new StoredNode(array.session(), "").location());
        while (outer.isPresent() && groups.size() < MAX_GROUPS) {
            String place = outer.get();
            Optional<Json.Obj> group = quietly(() -> find(place, "", options));
            groups.add(new Above(place, group, name -> find(place, name, options)));
            outer = group.flatMap(found -> parent(place));
        }
        return groups;
    }

    /** Returns what is found; empty if it cannot be read. */
    private static Optional<Json.Obj> quietly(Supplier<Optional<Json.Obj>> search) {
        try {
            return search.get();
        } catch (ZarrException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Json.Obj> find(StoredNode node) {
        return node.call(node::find).map(FoundNode::metadata).map(NodeMetadata::attributes);
    }

    private static Optional<Json.Obj> find(String group, String name, ZarrOptions options) {
        try (Store store = Zarr.openStore(group, options)) {
            return Zarr.find(store, name, options).map(ZarrNode::attributes);
        }
    }

    /** Returns the location of the folder around another. */
    private static Optional<String> parent(String place) {
        Optional<Path> folder = LocalFolders.of(place);
        if (folder.isPresent()) {
            return Optional.ofNullable(folder.get().getParent()).map(path -> "file:" + path);
        }
        int end = Math.max(place.lastIndexOf('/'), place.lastIndexOf('!'));
        return end <= 0 ? Optional.empty() : Optional.of(place.substring(0, end));
    }
}
