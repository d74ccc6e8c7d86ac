package dev.shardkit.spark.source;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spark.task.AbsoluteLocation;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Describes the table over an array or a group's arrays: its location, shape and columns. It holds no rows and no open
 * array. Immutable.
 *
 * @param url the location of the node, which may hold secrets
 * @param location the location for messages
 * @param shape the shape of all arrays
 * @param dimensions the names of the columns with coordinates
 * @param arrays the path of each array by the name of its column
 * @param columns the kind of each array by the name of its column
 * @param keys the chunk key encoding of each array by the name of its column
 * @param byChunk whether a row is a chunk
 * @param fills whether shards that are not stored have rows, of fill values
 * @param steps whether times are numbers of steps
 * @param labels the columns with labels of coordinates, if elements are decoded
 * @param leftOut the arrays of the group that are no columns, because they cannot be read or Spark has no such
 *     elements, with the reason
 */
record TableColumns(
        String url,
        String location,
        long[] shape,
        List<String> dimensions,
        Map<String, String> arrays,
        Map<String, Column> columns,
        Map<String, String> keys,
        boolean byChunk,
        boolean fills,
        boolean steps,
        CfColumns labels,
        Map<String, String> leftOut)
        implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(TableColumns.class);

    /** The column with the elements of an array that is no member of a group. */
    static final String VALUE = "value";

    /** The column with the shape of a chunk, if rows are chunks. */
    static final String SHAPE = "shape";

    @Override
    public long[] shape() {
        return shape.clone();
    }

    /** Describes the table over the node that the options name. Opens the node, and closes it again. */
    static TableColumns of(CaseInsensitiveStringMap options) {
        String url = url(options);
        boolean byChunk = TableOptions.isSecond(options, TableOptions.ROWS, "elements", "chunks");
        boolean fills = TableOptions.isSecond(options, TableOptions.MISSING, "skip", "fill");
        boolean steps = TableOptions.isSecond(options, TableOptions.TIMES, "timestamps", "steps");
        boolean decodes = TableOptions.isSecond(options, TableOptions.DECODE, "none", "cf");
        if (decodes) {
            return decoded(options, url, byChunk, fills, steps);
        }
        TableOptions.variables(options, decodes); // refuses the option variables, which needs decode=cf
        Map<String, String> leftOut = new TreeMap<>();
        try (ZarrNode node = Zarr.open(url, ZarrOptions.defaults())) {
            Map<String, ZarrArray> arrays = new LinkedHashMap<>();
            if (node instanceof ZarrArray array) {
                arrays.put(VALUE, array);
            } else {
                ZarrGroup group = (ZarrGroup) node;
                for (String name : group.childNames()) {
                    try {
                        if (group.find(name).orElse(null) instanceof ZarrArray array) {
                            Column.of(array.dataType(), array.location(), steps); // throws if Spark has no such type
                            arrays.put(name, array);
                        }
                    } catch (UnsupportedException | MetadataException | CorruptDataException e) {
                        leftOut.put(name, String.valueOf(e.getMessage()));
                        LOG.warn("the table has no column {}: {}", name, e.getMessage());
                    }
                }
            }
            Map<String, Column> columns = new LinkedHashMap<>();
            arrays.forEach((name, array) -> columns.put(name, Column.of(array.dataType(), array.location(), steps)));
            return of(url, node.location(), arrays, columns, byChunk, fills, steps, CfColumns.NONE, leftOut);
        }
    }

    /** Describes the table over a dataset of the CF conventions. Opens the dataset and reads its coordinates. */
    private static TableColumns decoded(
            CaseInsensitiveStringMap options, String url, boolean byChunk, boolean fills, boolean steps) {
        boolean decodes = true;
        Optional<List<String>> names = TableOptions.variables(options, decodes);
        if (byChunk || steps) {
            throw new IllegalArgumentException(
                    "option decode=cf: expected rows of elements and times as timestamps, found rows=chunks or times=steps");
        }
        try (ZarrNode node = Zarr.open(url, ZarrOptions.defaults())) {
            if (!(node instanceof ZarrGroup group)) {
                throw new IllegalArgumentException(
                        "option decode=cf: expected a group, which has the coordinates; found" + " the array "
                                + node.location() + ": load its group, with the option variables");
            }
            List<CfVariable> variables = CfColumns.variables(CfDataset.of(group), names);
            Map<String, Column> columns = new LinkedHashMap<>();
            variables.forEach(variable -> columns.put(variable.name(), DecodedColumn.of(variable)));
            Map<String, ZarrArray> arrays = CfColumns.arrays(variables);
            Map<String, String> leftOut = new TreeMap<>();
            CfColumns labels = variables.isEmpty() ? CfColumns.NONE : CfColumns.of(variables, leftOut);
            leftOut.forEach((name, reason) -> LOG.warn("the table has no column {}: {}", name, reason));
            return of(url, node.location(), arrays, columns, byChunk, fills, steps, labels, leftOut);
        }
    }

    /** Returns the location of the node that the options name. */
    static String url(CaseInsensitiveStringMap options) {
        String url = options.get("path");
        if (url == null) {
            throw new IllegalArgumentException("expected a location, such as load(\"image.zarr\"), found none");
        }
        return AbsoluteLocation.of(url);
    }

    /** Describes the table of some arrays, which must have one shape and one grid. */
    private static TableColumns of(
            String url,
            String location,
            Map<String, ZarrArray> arrays,
            Map<String, Column> columns,
            boolean byChunk,
            boolean fills,
            boolean steps,
            CfColumns labels,
            Map<String, String> leftOut) {
        if (arrays.isEmpty()) {
            throw new UnsupportedException(
                    location + " is a group without arrays; expected an array, or arrays of one shape");
        }
        ZarrArray first = arrays.values().iterator().next();
        Map<String, String> paths = new LinkedHashMap<>();
        Map<String, String> keys = new LinkedHashMap<>();
        arrays.forEach((name, array) -> {
            if (!Arrays.equals(array.shape(), first.shape())
                    || !Arrays.equals(array.storedChunkShape(), first.storedChunkShape())) {
                throw new UnsupportedException("the arrays of " + location + " are no table: " + first.location()
                        + " has shape " + Arrays.toString(first.shape()) + " and stored chunks of "
                        + Arrays.toString(first.storedChunkShape()) + ", " + array.location() + " has "
                        + Arrays.toString(array.shape()) + " and " + Arrays.toString(array.storedChunkShape()));
            }
            paths.put(name, array.path());
            keys.put(name, keys(array));
        });
        return new TableColumns(
                url,
                location,
                first.shape(),
                names(first, paths),
                paths,
                columns,
                keys,
                byChunk,
                fills,
                steps,
                labels,
                Map.copyOf(leftOut));
    }

    /**
     * Returns the names of the dimensions, all of them different. A dimension without a name, or with the name of an
     * earlier column, is called d0, d1 and so on.
     */
    private static List<String> names(ZarrArray array, Map<String, String> paths) {
        int rank = array.shape().length;
        String[] names = new String[rank];
        Set<String> used = new HashSet<>(paths.keySet());
        used.add(SHAPE);
        for (int d = 0; d < rank; d++) {
            int at = d;
            names[d] = array.dimensionNames()
                    .flatMap(all -> all.get(at))
                    .filter(known -> !known.isEmpty() && used.add(known))
                    .orElse("");
        }
        for (int d = 0; d < rank; d++) {
            StringBuilder name = new StringBuilder("d").append(d);
            while (names[d].isEmpty() && !used.add(name.toString())) {
                name.append('_');
            }
            names[d] = names[d].isEmpty() ? name.toString() : names[d];
        }
        return List.of(names);
    }

    /** Returns all columns. */
    StructType schema() {
        List<StructField> fields = new ArrayList<>();
        dimensions.forEach(name -> fields.add(coordinate(name)));
        labels.others(dimensions).forEach(name -> fields.add(coordinate(name)));
        if (byChunk) {
            fields.add(DataTypes.createStructField(SHAPE, DataTypes.createArrayType(DataTypes.LongType, false), false));
        }
        columns.forEach((name, column) -> fields.add(DataTypes.createStructField(
                name,
                byChunk ? DataTypes.createArrayType(column.type(), column.isNullable()) : column.type(),
                !byChunk && (column.isNullable() || isDecoded()))));
        return DataTypes.createStructType(fields);
    }

    private StructField coordinate(String name) {
        LabelColumn column = labels.columns().get(name);
        if (column != null) {
            return DataTypes.createStructField(name, column.column().type(), column.isNullable());
        }
        Column grid = labels.grids().get(name);
        return grid != null
                ? DataTypes.createStructField(name, grid.type(), true)
                : DataTypes.createStructField(name, DataTypes.LongType, false);
    }

    /** Whether elements are decoded by the CF conventions. */
    boolean isDecoded() {
        return labels.isDecoded();
    }

    /** Returns the dimension whose indices a column has; empty if the column has labels or elements. */
    Optional<Integer> dimension(String column) {
        boolean hasLabels =
                labels.columns().containsKey(column) || labels.grids().containsKey(column);
        int d = hasLabels ? -1 : dimensions.indexOf(column);
        return d < 0 ? Optional.empty() : Optional.of(d);
    }

    /** Returns the box of all elements. */
    Box domain() {
        return Box.of(shape);
    }

    /** Returns the chunk key encoding. An overwrite changes it, so it tells old elements from new ones. */
    private static String keys(ZarrArray array) {
        return MetadataWriter.document(array.metadata())
                .get("chunk_key_encoding")
                .orElse(Json.object())
                .toString();
    }

    /**
     * Opens the array of a column.
     *
     * @throws StoreException if the array was overwritten or got another layout since the table was opened, so that its
     *     chunks have other keys now
     */
    ZarrArray open(String column, ZarrNode node) {
        ZarrArray array = node instanceof ZarrGroup group ? group.array(column) : (ZarrArray) node;
        if (!keys(array).equals(keys.get(column))) {
            throw new StoreException(array.location()
                    + " was overwritten, or got another layout, while it was read; run the query again");
        }
        return array;
    }
}
