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
 * @param grids the coordinates with more dimensions, by the name of their column: executors read them
 * @param dimensions the numbers of the dimensions of each of {@code grids}
 */
record CfColumns(
        boolean isDecoded, Map<String, LabelColumn> columns, Map<String, Column> grids, Map<String, int[]> dimensions)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A table with indices and stored values. */
    static final CfColumns NONE = new CfColumns(false, Map.of(), Map.of(), Map.of());

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

    /** Reads the labels of the coordinates of some variables, which have the same dimensions. */
    static CfColumns of(List<CfVariable> variables) {
        Map<String, LabelColumn> columns = new LinkedHashMap<>();
        Map<String, Column> grids = new LinkedHashMap<>();
        Map<String, int[]> dimensions = new LinkedHashMap<>();
        List<String> names = variables.get(0).dimensions();
        List<CfVariable> coordinates = variables.stream()
                .flatMap(v -> v.coordinates().stream())
                .distinct()
                .filter(c -> names.containsAll(c.dimensions()))
                .filter(c -> !variables.contains(c))
                .toList();
        for (CfVariable coordinate : coordinates) {
            List<String> own = coordinate.dimensions();
            if (own.size() <= 1) {
                int dimension = own.isEmpty() ? -1 : names.indexOf(own.get(0));
                CfVariable owner = variables.stream()
                        .filter(v -> v.coordinates().contains(coordinate))
                        .findFirst()
                        .orElseThrow();
                columns.put(coordinate.name(), labels(owner, coordinate, dimension));
            } else if (coordinate.array().shape().length == own.size()) {
                grids.put(coordinate.name(), DecodedColumn.of(coordinate));
                dimensions.put(
                        coordinate.name(), own.stream().mapToInt(names::indexOf).toArray());
            }
        }
        return new CfColumns(true, columns, grids, dimensions);
    }

    private static LabelColumn labels(CfVariable owner, CfVariable coordinate, int dimension) {
        CfValues values = dimension < 0 ? coordinate.read() : owner.select().labels(coordinate.name());
        Column column = DecodedColumn.ofLabels(coordinate, values);
        DecodedColumn.Elements elements = DecodedColumn.elements(coordinate, column, values);
        return new LabelColumn(dimension, column, elements.array(), elements.missing());
    }

    /** Returns the names of the coordinates that are no dimensions, in the order of their columns. */
    List<String> others(List<String> dimensionNames) {
        return Stream.concat(columns.keySet().stream(), grids.keySet().stream())
                .filter(name -> !dimensionNames.contains(name))
                .toList();
    }

    /** Opens some variables on an executor. */
    static Map<String, CfVariable> open(ZarrNode node, List<String> names) {
        CfDataset dataset = CfDataset.of((ZarrGroup) node, CfOptions.defaults().withVariables(names));
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
