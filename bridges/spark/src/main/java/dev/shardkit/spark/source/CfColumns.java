package dev.shardkit.spark.source;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfOptions;
import dev.shardkit.cf.CfRole;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the elements of a dataset of the CF conventions become columns: labels of coordinates in place of indices, and
 * physical values (option {@code decode=cf}). Immutable.
 *
 * @param isDecoded whether values are physical
 * @param columns the coordinates with at most one dimension, by the name of their column
 * @param grids the coordinates with more dimensions, by the name of their column; executors read these
 * @param dimensions for each of {@code grids}, its dimensions as indices into the dimensions of the table
 * @param opened for each column, the variables that executors open to decode it: its own, and those on which its
 *     decoding depends
 * @param units the units and calendar of each column of times that executors decode
 */
record CfColumns(
        boolean isDecoded,
        Map<String, LabelColumn> columns,
        Map<String, Column> grids,
        Map<String, int[]> dimensions,
        Map<String, List<String>> opened,
        Map<String, String> units)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A table with indices and stored values. */
    static final CfColumns NONE = new CfColumns(false, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    /**
     * Returns the variables of a group that are the value columns of a table.
     *
     * @param names the variables; empty for all data variables
     */
    static List<CfVariable> variables(CfDataset dataset, Optional<List<String>> names) {
        List<CfVariable> variables = names.map(
                        all -> all.stream().map(dataset::variable).toList())
                .orElseGet(() -> dataset.variables(CfRole.DATA));
        for (CfVariable variable : variables) {
            if (!variable.dimensions().equals(variables.get(0).dimensions())) {
                throw new UnsupportedException("the variables of "
                        + dataset.group().location() + " are no table: " + variables.get(0) + " and " + variable
                        + " have other dimensions; choose variables of the same dimensions by the option "
                        + TableOptions.VARIABLES);
            } else if (variable.array().shape().length != variable.dimensions().size()) {
                throw new UnsupportedException(variable.array().location()
                        + ": a table of Spark has no texts of character arrays; choose other variables by the option "
                        + TableOptions.VARIABLES);
            }
        }
        return variables;
    }

    /**
     * Reads the labels of the coordinates of variables that all have the same dimensions.
     *
     * @param leftOut receives the coordinates whose elements Spark does not support, each with the reason; they are not
     *     columns
     * @throws UnsupportedException if Spark does not support the coordinate with the name of a dimension, because
     *     indices must not appear in place of its labels
     */
    static CfColumns of(List<CfVariable> variables, Map<String, String> leftOut) {
        Map<String, LabelColumn> columns = new LinkedHashMap<>();
        Map<String, Column> grids = new LinkedHashMap<>();
        Map<String, int[]> dimensions = new LinkedHashMap<>();
        List<String> names = variables.get(0).dimensions();
        List<CfVariable> coordinates = variables.stream()
                .flatMap(v -> v.coordinates().stream())
                .distinct()
                .filter(coordinate -> names.containsAll(coordinate.dimensions()))
                .filter(coordinate -> !variables.contains(coordinate))
                .toList();
        for (CfVariable coordinate : coordinates) {
            List<String> ownDimensions = coordinate.dimensions();
            try {
                if (ownDimensions.size() <= 1) {
                    // -1: a coordinate without a dimension, which has the same label in each row
                    int dimension = ownDimensions.isEmpty() ? -1 : names.indexOf(ownDimensions.get(0));
                    // The labels are read by a selection of a variable that has this coordinate.
                    CfVariable owner = variables.stream()
                            .filter(v -> v.coordinates().contains(coordinate))
                            .findFirst()
                            .orElseThrow();
                    columns.put(coordinate.name(), labels(owner, coordinate, dimension));
                } else if (coordinate.array().shape().length == ownDimensions.size()) { // not an array of characters
                    grids.put(coordinate.name(), DecodedColumn.of(coordinate));
                    dimensions.put(
                            coordinate.name(),
                            ownDimensions.stream().mapToInt(names::indexOf).toArray());
                }
            } catch (UnsupportedException e) {
                if (names.contains(coordinate.name())) {
                    throw e;
                }
                leftOut.put(coordinate.name(), String.valueOf(e.getMessage()));
            }
        }
        Map<String, List<String>> opened = new LinkedHashMap<>();
        Map<String, String> units = new LinkedHashMap<>();
        Stream.concat(variables.stream(), coordinates.stream().filter(c -> grids.containsKey(c.name())))
                .forEach(variable -> {
                    opened.put(variable.name(), opened(variable));
                    units.put(variable.name(), units(variable));
                });
        return new CfColumns(true, columns, grids, dimensions, opened, units);
    }

    /**
     * Returns a variable and the variables on which its decoding depends. Boundaries take their units from their
     * coordinate. For elements that are not numbers, these are all variables that share a dimension: they tell whether
     * a dimension counts the characters of a text.
     */
    private static List<String> opened(CfVariable variable) {
        boolean isNumber = variable.array().dataType().number().isPresent();
        return variable.dataset().variables().stream()
                .filter(other -> other == variable
                        || other.bounds().filter(variable::equals).isPresent()
                        || !isNumber && other.dimensions().stream().anyMatch(variable.dimensions()::contains))
                .map(CfVariable::name)
                .toList();
    }

    /** Returns the units and the calendar of moments; empty for other elements. */
    static String units(CfVariable variable) {
        return variable.timeUnits().map(Object::toString).orElse("");
    }

    /** Reads the labels of a coordinate with at most one dimension. */
    private static LabelColumn labels(CfVariable owner, CfVariable coordinate, int dimension) {
        CfValues values = dimension < 0 ? coordinate.read() : owner.select().labels(coordinate.name());
        Column column = DecodedColumn.ofLabels(coordinate, values);
        DecodedColumn.Elements elements = DecodedColumn.elements(coordinate, column, values);
        boolean[] missing = elements.missing();
        for (int i = 0; i < missing.length && column.isNullable(); i++) {
            missing[i] |= column.at(elements.array(), i) == null; // NaT, which the CF conventions do not know
        }
        return new LabelColumn(dimension, column, elements.array(), missing);
    }

    /** Returns the names of the coordinates that are no dimensions, in the order of their columns. */
    List<String> others(List<String> dimensionNames) {
        return Stream.concat(columns.keySet().stream(), grids.keySet().stream())
                .filter(name -> !dimensionNames.contains(name))
                .toList();
    }

    /** Opens the variables of some columns on an executor. */
    Map<String, CfVariable> open(ZarrNode node, List<String> names) {
        List<String> all = names.stream()
                .flatMap(name -> opened.get(name).stream())
                .distinct()
                .toList();
        CfDataset dataset = CfDataset.of((ZarrGroup) node, CfOptions.defaults().withVariables(all));
        Map<String, CfVariable> opened = new LinkedHashMap<>();
        names.forEach(name -> opened.put(name, dataset.variable(name)));
        return opened;
    }

    /** Returns the arrays of variables. */
    static Map<String, ZarrArray> arrays(List<CfVariable> variables) {
        Map<String, ZarrArray> arrays = new LinkedHashMap<>();
        variables.forEach(variable -> arrays.put(variable.name(), variable.array()));
        return arrays;
    }
}
