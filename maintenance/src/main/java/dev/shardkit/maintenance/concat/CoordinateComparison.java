package dev.shardkit.maintenance.concat;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Compares the coordinate variables of arrays. They lie beside the arrays or in groups above them: the one-dimensional
 * variable with the name of a dimension, and the variables that the attribute {@code coordinates} names (CF
 * conventions, chapter 5). Variables along the concatenated dimension are not compared. Stateless.
 */
final class CoordinateComparison {
    private static final String ATTRIBUTE = "coordinates";
    /** The maximum number of bytes read from a variable. Only the first rows of larger variables are compared. */
    private static final long MAX_BYTES = 1L << 26;

    private static final int DEFAULT_ELEMENT_BYTES = 64;

    private CoordinateComparison() {}

    /**
     * A coordinate variable.
     *
     * @param location its location
     * @param values its elements, or the first rows of them
     */
    private record Variable(String location, long[] shape, Json.Obj attributes, NdArray values) {}

    /**
     * Refuses arrays whose coordinates differ. Variables that only one array has, or that cannot be opened, are not
     * compared.
     *
     * @param ancestors the groups above each array
     * @param metadata the metadata of the arrays, which have the same rank
     */
    static void check(List<AncestorGroups> ancestors, List<ArrayMetadata> metadata, int axis) {
        List<String> first = dimensionNames(metadata.get(0));
        Map<String, Optional<Variable>> own = new HashMap<>();
        for (int i = 1; i < ancestors.size(); i++) {
            List<String> other = dimensionNames(metadata.get(i));
            Map<String, String> pairs = new LinkedHashMap<>();
            for (int d = 0; d < Math.min(first.size(), other.size()); d++) {
                if (d != axis && !first.get(d).isEmpty() && !other.get(d).isEmpty()) {
                    pairs.put(first.get(d), other.get(d));
                }
            }
            Set<String> common = namedCoordinates(metadata.get(0));
            common.retainAll(namedCoordinates(metadata.get(i)));
            common.forEach(name -> pairs.putIfAbsent(name, name));
            for (Map.Entry<String, String> pair : pairs.entrySet()) {
                Optional<Variable> a =
                        own.computeIfAbsent(pair.getKey(), name -> read(ancestors.get(0), name, metadata.get(0), axis));
                if (a.isPresent()) {
                    Optional<Variable> b = read(ancestors.get(i), pair.getValue(), metadata.get(i), axis);
                    b.ifPresent(found -> compare(pair.getKey(), a.get(), found));
                }
            }
        }
    }

    /** Returns the dimension names; an unnamed dimension has the empty text. */
    static List<String> dimensionNames(ArrayMetadata array) {
        Optional<List<Optional<String>>> names = array.dimensionNames();
        if (names.isPresent()) {
            return names.get().stream().map(name -> name.orElse("")).toList();
        }
        return array.attributes().get("_ARRAY_DIMENSIONS").stream()
                .flatMap(value -> value instanceof Json.Arr all ? all.items().stream() : Stream.empty())
                .map(value -> value instanceof Json.Str name ? name.value() : "")
                .toList();
    }

    /** Returns the names in the attribute {@code coordinates}. */
    private static Set<String> namedCoordinates(ArrayMetadata array) {
        return new TreeSet<>(array.attributes()
                .get(ATTRIBUTE)
                .filter(Json.Str.class::isInstance)
                .map(value -> Arrays.asList(((Json.Str) value).value().strip().split("\\s+")))
                .orElse(List.of()));
    }

    private static Optional<Variable> read(AncestorGroups ancestors, String name, ArrayMetadata array, int axis) {
        return name.isEmpty() || name.contains("/")
                ? Optional.empty()
                : ancestors.findVariable(name, node -> read(node, name, array, axis));
    }

    /** Reads a coordinate variable; empty if the node is not one, or has the concatenated dimension. */
    private static Optional<Variable> read(ZarrNode node, String name, ArrayMetadata array, int axis) {
        if (!(node instanceof ZarrArray variable)) {
            return Optional.empty();
        }
        List<String> dimensions = dimensionNames(array);
        List<String> own = dimensionNames(variable.metadata());
        long[] shape = variable.shape();
        boolean isOfDimension = shape.length == 1
                && dimensions.contains(name)
                && dimensions.indexOf(name) != axis
                && (own.isEmpty() || own.get(0).equals(name));
        boolean isNamed = own.size() == shape.length
                && dimensions.containsAll(own)
                && (axis >= dimensions.size() || !own.contains(dimensions.get(axis)));
        return isOfDimension || isNamed ? rowsToCompare(variable).map(part -> read(variable, part)) : Optional.empty();
    }

    private static Variable read(ZarrArray variable, Box part) {
        return new Variable(variable.location(), variable.shape(), variable.attributes(), variable.read(part));
    }

    /** Returns the first rows that fit into {@link #MAX_BYTES}; empty if one row exceeds it. */
    private static Optional<Box> rowsToCompare(ZarrArray variable) {
        long[] shape = variable.shape();
        long maxRows = MAX_BYTES / Math.max(1, variable.dataType().elementSize().orElse(DEFAULT_ELEMENT_BYTES));
        for (int d = shape.length - 1; d > 0; d--) {
            maxRows /= Math.max(1, shape[d]);
        }
        if (shape.length > 0) {
            shape[0] = Math.min(shape[0], maxRows);
        }
        return maxRows == 0 ? Optional.empty() : Optional.of(Box.of(shape));
    }

    private static void compare(String name, Variable a, Variable b) {
        if (!Arrays.equals(a.shape(), b.shape())) {
            throw mismatch(name, "shape " + Arrays.toString(a.shape()), a, "shape " + Arrays.toString(b.shape()), b);
        }
        if (a.attributes().get("units").isPresent()
                && b.attributes().get("units").isPresent()
                && !DecodingAttributes.isSame("units", a.attributes(), b.attributes())
                && !units(a).equals(units(b))) {
            throw mismatch(name, "units " + units(a), a, "units " + units(b), b);
        }
        // if so, equal stored numbers mean different values, so the decoded ones are compared
        boolean isPackedOtherwise = !DecodingAttributes.isSame("scale_factor", a.attributes(), b.attributes())
                || !DecodingAttributes.isSame("add_offset", a.attributes(), b.attributes());
        if (!isPackedOtherwise && a.values().equals(b.values())) {
            return;
        }
        NdArray one = flat(a.values());
        NdArray other = flat(b.values());
        boolean sameFormat = one.dataType().number().equals(other.dataType().number()) && !isPackedOtherwise;
        for (long i = 0; i < Math.min(one.count(), other.count()); i++) {
            Object first = isPackedOtherwise ? decoded(one, i, a.attributes()) : value(one, i, sameFormat);
            Object second = isPackedOtherwise ? decoded(other, i, b.attributes()) : value(other, i, sameFormat);
            if (!first.equals(second)) {
                long[] index = Shapes.unravel(i, a.values().shape());
                String at = name + (index.length == 0 ? "" : Arrays.toString(index)) + " = ";
                throw mismatch(name, at + first, a, second.toString(), b);
            }
        }
    }

    /** Returns the units; CF conventions, section 4.1, allow several spellings of degrees of latitude and longitude. */
    private static String units(Variable variable) {
        String text = variable.attributes()
                .get("units")
                .map(value -> value instanceof Json.Str s ? s.value().strip() : value.toString())
                .orElse("");
        return text.replaceFirst("(?i)^degrees?_?(n|north|e|east)$", "degrees_$1")
                .replaceFirst("(?i)_n$", "_north")
                .replaceFirst("(?i)_e$", "_east");
    }

    /** Returns the elements in one dimension, so that they can be addressed by number. */
    private static NdArray flat(NdArray values) {
        return NdArray.of(values.dataType(), new long[] {values.count()}, values.array());
    }

    /**
     * Returns an element as an object that equals all elements of the same meaning: 0 equals -0, and all NaN are equal.
     */
    private static Object value(NdArray values, long i, boolean sameFormat) {
        Optional<NumberFormat> number = values.dataType().number();
        if (number.isPresent()) {
            return number.get() instanceof IntegerFormat && sameFormat
                    ? values.integerAt(i)
                    : (Object) (values.doubleAt(i) + 0.0);
        }
        int parts = (int) (Array.getLength(values.array()) / values.count());
        List<Object> all = new ArrayList<>();
        for (int k = 0; k < parts; k++) {
            Object part = Array.get(values.array(), (int) i * parts + k);
            all.add(part instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : part);
        }
        return all.size() == 1 ? all.get(0) : all;
    }

    /** Returns a packed number as CF conventions, section 8.1, decode it. */
    private static Object decoded(NdArray values, long i, Json.Obj attributes) {
        if (values.dataType().number().isEmpty()) {
            return value(values, i, true);
        }
        return values.doubleAt(i) * number(attributes, "scale_factor", 1) + number(attributes, "add_offset", 0);
    }

    private static double number(Json.Obj attributes, String name, double other) {
        return attributes
                .get(name)
                .map(value -> value instanceof Json.Num n ? Double.parseDouble(n.lexeme()) : other)
                .orElse(other);
    }

    private static MetadataException mismatch(String name, String expected, Variable a, String found, Variable b) {
        return new MetadataException("elements of the arrays are joined by their position, so the arrays must have the "
                + "same coordinates " + name + ": expected " + expected + " as in " + a.location() + ", found " + found
                + " in " + b.location() + "; bring the arrays to the same coordinates first");
    }
}
