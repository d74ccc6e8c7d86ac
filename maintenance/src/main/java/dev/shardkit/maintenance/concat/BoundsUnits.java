package dev.shardkit.maintenance.concat;

import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the units of boundary variables, which store the bounds of the cells of a coordinate. They need no attribute
 * {@code units}, because they inherit it from the coordinate variable, whose attribute {@code bounds} or
 * {@code climatology} names them (CF conventions, sections 7.1 and 7.4). The coordinate variable has the name of one of
 * their dimensions, and is beside them or in a group above. Stateless.
 */
final class BoundsUnits {
    private static final String UNITS = "units";
    private static final List<String> REFERENCES = List.of("bounds", "climatology");
    private static final List<String> INHERITED = List.of(UNITS, "calendar");

    private BoundsUnits() {}

    /** Returns the metadata of the arrays. Adds the units and calendars that boundary variables inherit. */
    static List<ArrayMetadata> inherited(
            List<StoredNode> arrays, List<AncestorGroups> ancestors, List<ArrayMetadata> metadata) {
        List<ArrayMetadata> described = new ArrayList<>();
        for (int i = 0; i < metadata.size(); i++) {
            described.add(
                    i < ancestors.size()
                            ? inherited(name(arrays.get(i)), ancestors.get(i), metadata.get(i))
                            : metadata.get(i));
        }
        return described;
    }

    private static ArrayMetadata inherited(String name, AncestorGroups ancestors, ArrayMetadata array) {
        if (array.attributes().get(UNITS).isPresent()) {
            return array;
        }
        for (String dimension : CoordinateComparison.dimensionNames(array)) {
            Optional<Json.Obj> coordinate = dimension.isEmpty() || dimension.contains("/") || dimension.equals(name)
                    ? Optional.empty()
                    : ancestors.findVariable(dimension, node -> Optional.of(node.attributes()));
            if (coordinate.isPresent() && namesAsBounds(coordinate.get(), name)) {
                Json.Obj attributes = array.attributes();
                for (String inherited : INHERITED) {
                    Optional<Json> value = coordinate.get().get(inherited);
                    if (value.isPresent() && attributes.get(inherited).isEmpty()) {
                        attributes = attributes.with(inherited, value.get());
                    }
                }
                return array.withAttributes(attributes);
            }
        }
        return array;
    }

    /** Returns whether the attributes of a coordinate variable name an array as its boundary variable. */
    private static boolean namesAsBounds(Json.Obj coordinate, String name) {
        return REFERENCES.stream()
                .anyMatch(reference -> coordinate.get(reference).equals(Optional.of(Json.of(name))));
    }

    private static String name(StoredNode array) {
        String location = array.location();
        return !array.path().isEmpty()
                ? StoreKeys.name(array.path())
                : LocalFolders.of(location)
                        .map(folder -> String.valueOf(folder.getFileName()))
                        .orElseGet(() ->
                                location.substring(Math.max(location.lastIndexOf('/'), location.lastIndexOf('!')) + 1));
    }
}
