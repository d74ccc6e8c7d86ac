package dev.shardkit.cf;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The dimensions of a dataset and the roles of its variables. Attributes that name variables are followed one step, so
 * that cycles do not matter. Immutable after {@link #of}.
 */
final class Structure {
    private final Map<String, ZarrArray> arrays;
    /** The names of the dimensions of each variable. */
    private final Map<String, List<String>> names = new HashMap<>();

    private final Map<String, CfDimension> dimensions = new LinkedHashMap<>();
    private final Map<String, CfRole> roles = new HashMap<>();
    private final Map<String, List<String>> coordinates = new HashMap<>();
    /** The variables that the attribute {@code coordinates} of the dataset names. */
    private List<String> shared = List.of();

    private final Map<String, String> bounds = new HashMap<>();
    private final Map<String, List<String>> mappings = new HashMap<>();
    /** The attributes by which each variable is decoded: its own, and those that bounds take from their coordinate. */
    private final Map<String, Json.Obj> attributes = new HashMap<>();
    /** The dimensions that count characters: no variable has their name, and each is the last one of texts only. */
    private final Set<String> textDimensions = new HashSet<>();

    private Structure(Map<String, ZarrArray> arrays) {
        this.arrays = arrays;
    }

    static Structure of(Map<String, ZarrArray> arrays, Json.Obj global, Notes notes) {
        Structure structure = new Structure(arrays);
        arrays.forEach((name, array) -> structure.addDimensions(name, array, notes));
        structure.addTextDimensions();
        arrays.forEach((name, array) -> structure.addCoordinate(name, array, notes));
        arrays.forEach((name, array) -> structure.addReferences(name, array.attributes(), notes));
        structure.shared = structure.references("", "coordinates", global, notes);
        structure.shared.forEach(name -> structure.roles.putIfAbsent(name, CfRole.AUXILIARY));
        structure.addTimeUnits();
        return structure;
    }

    private void addDimensions(String name, ZarrArray array, Notes notes) {
        long[] shape = array.shape();
        List<Optional<String>> stated = array.dimensionNames().orElseGet(() -> attributeNames(array, shape.length));
        Set<String> seen = new HashSet<>();
        List<String> own = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            Optional<String> dimension = d < stated.size() ? stated.get(d).filter(n -> !n.isEmpty()) : Optional.empty();
            String used = dimension.orElse(name + "[" + d + "]");
            if (dimension.isEmpty()) {
                notes.add(name, "dimension " + d + " has no name; it is called " + used);
            } else if (!seen.add(used)) {
                notes.add(
                        name, "dimension " + used + " occurs twice; the second one is called " + name + "[" + d + "]");
                used = name + "[" + d + "]";
            } else if (dimensions.containsKey(used) && dimensions.get(used).length() != shape[d]) {
                notes.add(
                        name,
                        "dimension " + used + " has the length " + shape[d] + ", in other variables "
                                + dimensions.get(used).length() + "; here it is called " + name + "[" + d + "]");
                used = name + "[" + d + "]";
            }
            dimensions.putIfAbsent(used, new CfDimension(used, shape[d]));
            own.add(used);
        }
        names.put(name, List.copyOf(own));
        attributes.put(name, array.attributes());
    }

    /** Returns the names that xarray gives arrays of formats without names. */
    private static List<Optional<String>> attributeNames(ZarrArray array, int rank) {
        return array.attributes()
                .get("_ARRAY_DIMENSIONS")
                .filter(Json.Arr.class::isInstance)
                .map(list -> ((Json.Arr) list).items())
                .filter(items -> items.size() == rank && items.stream().allMatch(Json.Str.class::isInstance))
                .map(items -> items.stream()
                        .map(item -> Optional.of(((Json.Str) item).value()))
                        .toList())
                .orElse(List.of());
    }

    private void addCoordinate(String name, ZarrArray array, Notes notes) {
        List<String> own = names.get(name);
        if (own.equals(List.of(name))) {
            roles.put(name, CfRole.COORDINATE);
        } else if (dimensions.containsKey(name) && !own.isEmpty() && !isTextLabel(name, array)) {
            notes.add(
                    name,
                    "is no coordinate variable: expected the one dimension " + name + ", found the dimensions "
                            + CfDataset.shortened(own));
        } else if (isTextLabel(name, array)) {
            roles.put(name, CfRole.COORDINATE);
        }
    }

    /** Returns whether an array holds labels of its dimension as rows of characters. */
    private boolean isTextLabel(String name, ZarrArray array) {
        return names.get(name).size() == 2 && names.get(name).get(0).equals(name) && isCharacters(name, array);
    }

    /** Returns whether the elements of an array are single characters, and its last dimension counts them. */
    boolean isCharacters(String name, ZarrArray array) {
        List<String> own = names.get(name);
        if (!Decoding.isCharacter(array.dataType()) || own.isEmpty()) {
            return false;
        }
        return textDimensions.contains(own.get(own.size() - 1));
    }

    private void addTextDimensions() {
        Set<String> others = new HashSet<>();
        arrays.forEach((name, array) -> {
            List<String> own = names.get(name);
            for (int d = 0; d < own.size(); d++) {
                boolean isLast = d == own.size() - 1;
                (isLast && Decoding.isText(array.dataType()) ? textDimensions : others).add(own.get(d));
            }
        });
        textDimensions.removeAll(others);
        textDimensions.removeAll(arrays.keySet());
    }

    private void addReferences(String name, Json.Obj attributes, Notes notes) {
        List<String> auxiliary = references(name, "coordinates", attributes, notes);
        coordinates.put(name, auxiliary);
        auxiliary.forEach(other -> roles.putIfAbsent(other, CfRole.AUXILIARY));
        for (String attribute : List.of("bounds", "climatology")) {
            List<String> cells = references(name, attribute, attributes, notes);
            if (!cells.isEmpty()) {
                addBoundsNote(name, attribute, cells.get(0), notes);
                bounds.putIfAbsent(name, cells.get(0));
                roles.putIfAbsent(cells.get(0), CfRole.BOUNDS);
            }
        }
        List<String> systems = mappings(name, attributes, notes);
        mappings.put(name, systems);
        systems.forEach(other -> roles.putIfAbsent(other, CfRole.GRID_MAPPING));
    }

    /** Bounds have the dimensions of their coordinate and then one of vertices (section 7.1). */
    private void addBoundsNote(String name, String attribute, String cells, Notes notes) {
        List<String> own = names.get(name);
        List<String> found = names.get(cells);
        if (found.size() != own.size() + 1 || !found.subList(0, own.size()).equals(own)) {
            notes.add(
                    name,
                    attribute + ": expected that " + cells + " has the dimensions " + CfDataset.shortened(own)
                            + " and one more, found " + CfDataset.shortened(found));
        }
    }

    /** Returns the variables that an attribute names; others are noted. */
    private List<String> references(String name, String attribute, Json.Obj attributes, Notes notes) {
        Optional<Json> value = attributes.get(attribute);
        if (value.isPresent() && !(value.get() instanceof Json.Str)) {
            notes.add(
                    name,
                    attribute + " is ignored: expected names of variables, found "
                            + MaskAndScale.shortened(value.get()));
        }
        return known(
                name,
                attribute,
                AttributeValues.text(attributes, attribute)
                        .map(AttributeValues::names)
                        .orElse(List.of()),
                notes);
    }

    private List<String> known(String name, String attribute, List<String> stated, Notes notes) {
        List<String> known = new ArrayList<>();
        for (String other : stated) {
            if (!arrays.containsKey(other)) {
                notes.add(
                        name,
                        attribute + " names " + MaskAndScale.shortened(Json.of(other)) + ", which is no variable");
            } else if (other.equals(name)) {
                notes.add(name, attribute + " names the variable itself");
            } else {
                known.add(other);
            }
        }
        return known.stream().distinct().toList();
    }

    /** Returns the variables in {@code crs} or {@code crs: x y other: lat lon} (section 5.6). */
    private List<String> mappings(String name, Json.Obj attributes, Notes notes) {
        Optional<String> text = AttributeValues.text(attributes, "grid_mapping");
        if (text.isEmpty() || !text.get().contains(":")) {
            return references(name, "grid_mapping", attributes, notes);
        }
        List<String> systems = AttributeValues.names(text.get().replace(" :", ":")).stream()
                .filter(word -> word.endsWith(":"))
                .map(word -> word.substring(0, word.length() - 1))
                .toList();
        return known(name, "grid_mapping", systems, notes);
    }

    /** Bounds of times have the units of their coordinate, unless they have their own. */
    private void addTimeUnits() {
        bounds.forEach((name, cells) -> {
            Json.Obj own = attributes.get(name);
            boolean isTime = AttributeValues.text(own, "units")
                    .filter(text -> text.contains("since"))
                    .isPresent();
            Json.Obj changed = attributes.get(cells);
            for (String attribute : List.of("units", "calendar")) {
                if (isTime
                        && changed.get(attribute).isEmpty()
                        && own.get(attribute).isPresent()) {
                    changed = changed.with(attribute, own.get(attribute).get());
                }
            }
            attributes.put(cells, changed);
        });
    }

    Map<String, ZarrArray> arrays() {
        return arrays;
    }

    Map<String, CfDimension> dimensions() {
        return dimensions;
    }

    List<String> dimensions(String name) {
        return names.get(name);
    }

    CfRole role(String name) {
        return roles.getOrDefault(name, CfRole.DATA);
    }

    /** Returns the attributes by which a variable is decoded. */
    Json.Obj decoding(String name) {
        return attributes.get(name);
    }

    /**
     * Returns the variables that the attribute {@code coordinates} of a variable names, then those that this attribute
     * of the dataset names and whose dimensions the variable has.
     */
    List<String> coordinates(String name) {
        Set<String> own = Set.copyOf(valueDimensions(name));
        return Stream.concat(
                        coordinates.get(name).stream(),
                        shared.stream()
                                .filter(other -> !other.equals(name))
                                .filter(other -> own.containsAll(valueDimensions(other))))
                .distinct()
                .toList();
    }

    /** Returns the dimensions of decoded elements: without that of characters. */
    private List<String> valueDimensions(String name) {
        List<String> own = names.get(name);
        return isCharacters(name, arrays.get(name)) ? own.subList(0, own.size() - 1) : own;
    }

    Optional<String> bounds(String name) {
        return Optional.ofNullable(bounds.get(name));
    }

    List<String> mappings(String name) {
        return mappings.get(name);
    }
}
