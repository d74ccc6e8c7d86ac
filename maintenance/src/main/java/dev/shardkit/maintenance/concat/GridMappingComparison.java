package dev.shardkit.maintenance.concat;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares the coordinate reference systems of arrays that are concatenated. Besides an array's own attributes, which
 * {@link DecodingAttributes} compares, two kinds of nodes can state its system. Stateless.
 *
 * <ul>
 *   <li>Grid mapping variables, which the attribute {@code grid_mapping} names (CF conventions, section 5.6), beside
 *       the array or in a group above it. Without the attribute, the variables {@code spatial_ref} and {@code crs}, as
 *       rioxarray writes them.
 *   <li>Attributes of groups above the array, such as {@code crs} and {@code proj:code} (GeoZarr). An attribute of the
 *       array itself has priority, then the nearest group.
 * </ul>
 */
final class GridMappingComparison {
    private static final String ATTRIBUTE = "grid_mapping";
    /** Attributes of a grid mapping that do not define the reference system, or may differ between parts of a grid. */
    private static final List<String> IGNORED =
            List.of("GeoTransform", "long_name", "comment", "history", "description", "title", "_ARRAY_DIMENSIONS");
    /** The names of variables that can be grid mappings if the array has no attribute {@code grid_mapping}. */
    private static final List<String> DEFAULT_NAMES = List.of("spatial_ref", "crs");
    /** A variable with a default name is a grid mapping if it has one of these attributes. */
    private static final List<String> MARKER_ATTRIBUTES =
            List.of("grid_mapping_name", "crs_wkt", "spatial_ref", "epsg_code");

    private GridMappingComparison() {}

    /**
     * Throws if the reference systems of the arrays differ. Skips variables that do not exist, and arrays without a
     * group above them.
     *
     * @param nodes the arrays
     * @param ancestors the groups above each array
     * @param metadata the metadata of each array
     * @throws MetadataException if they differ
     */
    static void check(List<StoredNode> nodes, List<AncestorGroups> ancestors, List<ArrayMetadata> metadata) {
        AncestorGroups firstGroups = ancestors.get(0);
        List<String> mappings = mappingNames(metadata.get(0).attributes());
        if (mappings.isEmpty()) {
            mappings = firstGroups
                    .findAttributes(ATTRIBUTE)
                    .map(GridMappingComparison::mappingNames)
                    .orElse(List.of());
        }
        boolean areNamed = !mappings.isEmpty();
        Map<String, Json.Obj> firstMappings = new LinkedHashMap<>();
        for (String name : areNamed ? mappings : DEFAULT_NAMES) {
            variable(firstGroups, name)
                    .filter(found -> areNamed || isMapping(found))
                    .ifPresent(found -> firstMappings.put(name, found));
        }
        for (int i = 1; i < nodes.size(); i++) {
            AncestorGroups secondGroups = ancestors.get(i);
            String first = nodes.get(0).location();
            String second = nodes.get(i).location();
            compareGroups(
                    firstGroups, first, secondGroups, second, metadata.get(0).attributes());
            firstMappings.forEach((name, mapping) -> variable(secondGroups, name)
                    .filter(found -> areNamed || isMapping(found))
                    .ifPresent(found -> compare(name, mapping, first, found, second)));
        }
    }

    private static boolean isMapping(Json.Obj attributes) {
        return MARKER_ATTRIBUTES.stream().anyMatch(name -> attributes.get(name).isPresent());
    }

    /**
     * Compares the reference systems that the groups above two arrays state. Skips each attribute that the first array
     * has itself, because that has priority.
     *
     * @param first the location of the first array
     * @param second the location of the second array
     * @param own the attributes of the first array
     */
    private static void compareGroups(
            AncestorGroups firstGroups, String first, AncestorGroups secondGroups, String second, Json.Obj own) {
        if (!firstGroups.hasGroup() || !secondGroups.hasGroup()) {
            return;
        }
        for (String name : DecodingAttributes.referenceSystems()) {
            Json.Obj one = firstGroups.findAttributes(name).orElse(Json.object());
            Json.Obj other = secondGroups.findAttributes(name).orElse(Json.object());
            if (own.get(name).isEmpty() && !DecodingAttributes.isSame(name, one, other)) {
                throw new MetadataException(
                        "the new array has the coordinate reference system of the first one, so the "
                                + "groups above the arrays must state the same (if it is one system, state it alike first; "
                                + "otherwise project the elements first): expected " + name + " = "
                                + value(one, name)
                                + " as in a group above " + first + ", found " + value(other, name) + " above "
                                + second);
            }
        }
    }

    private static Optional<Json.Obj> variable(AncestorGroups groups, String name) {
        return groups.findVariable(name, node -> Optional.of(node.attributes()));
    }

    /** Compares the attributes {@code a} and {@code b} of the grid mappings {@code name} of two arrays. */
    private static void compare(String name, Json.Obj a, String first, Json.Obj b, String second) {
        Set<String> all = new TreeSet<>(a.members().keySet());
        all.addAll(b.members().keySet());
        for (String attribute : all) {
            if (!IGNORED.contains(attribute) && !DecodingAttributes.isSame(attribute, a, b)) {
                throw new MetadataException(
                        "the new array has the coordinate reference system of the first one, so the "
                                + "grid mappings of the arrays must be the same (if it is one system, state it alike first; "
                                + "otherwise project the elements first): expected " + attribute + " = "
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
    private static List<String> mappingNames(Json.Obj attributes) {
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
}
