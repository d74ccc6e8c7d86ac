package dev.shardkit.cf;

import dev.shardkit.ZarrView;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Selected elements as the rows of a table, as {@code to_dataframe} of xarray makes them: first a column of labels for
 * each dimension, then the other coordinates, then the values of each variable. Rows are in C order.
 *
 * <p>A dimension without coordinate has its indices as labels. Coordinates that a selection reduced to one label are
 * columns with that label in each row. A coordinate that is also a value, such as that of its own dimension, is one
 * column. If the conventions do not decode the labels of a dimension, their column has the kind {@link CfKind#OTHER};
 * other coordinates of this kind are left out. Reads blocks of rows, so a table may be larger than memory. Immutable
 * and thread-safe; iterators are not.
 */
public final class CfTable {
    private final List<CfSelection> selections;
    private final List<String> dimensions;
    private final List<Axis> axes;
    private final long[] shape;
    private final long rows;
    private final List<CfColumn> columns;
    private final List<ColumnSource> columnSources;

    /**
     * The source of a column: a selection of a variable, or the indices of a dimension without labels.
     *
     * @param dimensions the dimensions of the column, as numbers of the table's dimensions
     */
    private record ColumnSource(List<Integer> dimensions, Optional<CfSelection> selection) {}

    /**
     * The selected indices of a dimension.
     *
     * @param first the first one; 0 if there is none
     * @param chosen all of them; empty if they are consecutive, so that {@code first} and {@code length} define them
     */
    private record Axis(long length, long first, Optional<long[]> chosen) {
        static Axis of(CfSelection selection, String dimension) {
            if (!selection.isSelected(dimension)) {
                int d = selection.variable().dimensions().indexOf(dimension);
                return new Axis(selection.variable().shape()[d], 0, Optional.empty());
            }
            long[] indices = selection.indices(dimension);
            long first = indices.length == 0 ? 0 : indices[0];
            boolean isRange = IntStream.range(0, indices.length).allMatch(i -> indices[i] == first + i);
            return new Axis(indices.length, first, isRange ? Optional.empty() : Optional.of(indices));
        }

        boolean isSame(Axis other) {
            return length == other.length
                    && first == other.first
                    && Arrays.equals(chosen.orElse(new long[0]), other.chosen.orElse(new long[0]));
        }

        long[] indices(long from, long end) {
            return chosen.map(all -> Arrays.copyOfRange(all, (int) from, (int) end))
                    .orElseGet(() -> LongStream.range(first + from, first + end).toArray());
        }
    }

    private CfTable(List<CfSelection> selections) {
        this.selections = selections;
        CfSelection first = selections.get(0);
        this.dimensions = first.dimensions();
        this.axes = dimensions.stream().map(name -> Axis.of(first, name)).toList();
        this.shape = axes.stream().mapToLong(Axis::length).toArray();
        this.rows = count(first.variable(), shape);
        this.columns = new ArrayList<>();
        this.columnSources = new ArrayList<>();
        for (int d = 0; d < dimensions.size(); d++) {
            String name = dimensions.get(d);
            Optional<CfVariable> labels = first.variable().dataset().coordinate(name);
            columns.add(new CfColumn(name, CfColumn.Role.DIMENSION, labels));
            columnSources.add(new ColumnSource(List.of(d), labels.map(first::like)));
        }
        for (CfVariable coordinate : coordinates()) {
            add(CfColumn.Role.COORDINATE, coordinate, first.like(coordinate));
        }
        selections.forEach(this::addValues);
    }

    /** Adds the column of a selection, unless it is there: a variable may be the coordinate of its own dimension. */
    private void addValues(CfSelection selection) {
        CfVariable variable = selection.variable();
        Optional<CfColumn> same =
                columns.stream().filter(c -> c.name().equals(variable.name())).findFirst();
        if (same.isEmpty()) {
            add(CfColumn.Role.VALUE, variable, selection);
        } else if (!same.get().variable().equals(Optional.of(variable))) {
            throw new UnsupportedException(variable.location() + ": expected columns of different names, found two"
                    + " columns " + variable.name() + ": the indices of a dimension and a variable");
        }
    }

    private void add(CfColumn.Role role, CfVariable variable, CfSelection selection) {
        columns.add(new CfColumn(variable.name(), role, Optional.of(variable)));
        columnSources.add(new ColumnSource(
                selection.dimensions().stream().map(dimensions::indexOf).toList(), Optional.of(selection)));
    }

    /** Returns the coordinates of all variables that are neither labels of a dimension nor one of the variables. */
    private List<CfVariable> coordinates() {
        List<CfVariable> own = selections.stream().map(CfSelection::variable).toList();
        return own.stream()
                .flatMap(variable -> variable.coordinates().stream())
                .distinct()
                .filter(c -> !dimensions.contains(c.name()) && !own.contains(c) && isReadable(c, own.get(0)))
                .toList();
    }

    /** Returns whether each row has an element of a coordinate. */
    private static boolean isReadable(CfVariable coordinate, CfVariable variable) {
        return coordinate.kind() != CfKind.OTHER && variable.dimensions().containsAll(coordinate.dimensions());
    }

    /**
     * Returns the table of selected elements. Reads the coordinates by which they are selected.
     *
     * @param first the elements of one variable
     * @param others the same elements of other variables of the same dimensions
     * @throws IllegalArgumentException if the selections differ in dimensions or elements, or a label does not exist
     * @throws UnsupportedException if there are 2^63 rows or more, or a variable with other elements than indices has
     *     the name of a dimension without labels
     */
    public static CfTable of(CfSelection first, CfSelection... others) {
        List<CfSelection> all = new ArrayList<>(List.of(first));
        for (CfSelection other : others) {
            boolean isSame = other.variable().dataset() == first.variable().dataset()
                    && other.variable().dimensions().equals(first.variable().dimensions())
                    && other.dimensions().equals(first.dimensions())
                    && first.variable().dimensions().stream()
                            .allMatch(name -> Axis.of(first, name).isSame(Axis.of(other, name)));
            if (!isSame) {
                throw new IllegalArgumentException(other.variable().location() + ": expected the dimensions "
                        + first.dimensions() + " and the elements of " + first + ", found " + other + " with "
                        + other.dimensions());
            }
            all.add(other);
        }
        return new CfTable(List.copyOf(all));
    }

    /** Returns the columns: dimensions, other coordinates, values. */
    public List<CfColumn> columns() {
        return List.copyOf(columns);
    }

    /**
     * Returns whether a column has moments that {@code java.time} has, too ({@link CfDateTime#toLocalDateTime}): its
     * calendar is the standard or the proleptic Gregorian one, and no label of a dimension lies before the Gregorian
     * reform. Reads the labels.
     */
    public boolean hasJavaTimes(int column) {
        Optional<CfVariable> variable = columns.get(column).variable().filter(v -> v.kind() == CfKind.TIME);
        boolean isGregorian = variable.flatMap(CfVariable::timeUnits)
                .map(CfTimeUnits::calendar)
                .filter(c -> c == CfCalendar.STANDARD || c == CfCalendar.PROLEPTIC_GREGORIAN)
                .isPresent();
        return isGregorian
                && (columns.get(column).role() != CfColumn.Role.DIMENSION
                        || variable.orElseThrow().labels().times().stream()
                                .flatMap(Optional::stream)
                                .allMatch(time -> time.toLocalDateTime().isPresent()));
    }

    /** Returns the number of rows. */
    public long rows() {
        return rows;
    }

    private static long count(CfVariable variable, long[] shape) {
        if (LongStream.of(shape).anyMatch(length -> length == 0)) {
            return 0;
        }
        try {
            return LongStream.of(shape).reduce(1, Math::multiplyExact);
        } catch (ArithmeticException e) {
            throw new UnsupportedException(variable.location() + ": expected a table of less than 2^63 rows, found the"
                    + " shape " + Arrays.toString(shape) + "; select fewer elements");
        }
    }

    /**
     * Returns the rows in blocks, which are read one after another.
     *
     * @param maxRows the maximum number of rows of a block
     * @throws IllegalArgumentException unless {@code maxRows} is positive
     */
    public Iterator<CfRows> blocks(int maxRows) {
        if (maxRows < 1) {
            throw new IllegalArgumentException("expected a positive number of rows, found " + maxRows);
        }
        return new Blocks(maxRows);
    }

    /** The blocks of rows: boxes that follow one another in C order. */
    private final class Blocks implements Iterator<CfRows> {
        private final Map<ColumnSource, ZarrView> views = new LinkedHashMap<>();
        private final Map<ColumnSource, Kept> kept = new LinkedHashMap<>();
        /**
         * The dimension along which blocks are cut. They are whole in all dimensions after it. -1: one block has all
         * rows.
         */
        private final int split;
        /** The length of a block along {@code split}. */
        private final long step;

        private final long[] position = new long[shape.length];
        private boolean isDone = rows() == 0;

        /** The elements of a column that the last block read. The next block reuses them if it needs the same box. */
        private record Kept(Box box, CfValues values) {}

        Blocks(int maxRows) {
            long inner = 1;
            int d = shape.length - 1;
            while (d >= 0 && shape[d] <= maxRows / Math.max(1, inner)) {
                inner *= Math.max(1, shape[d--]);
            }
            this.split = d;
            this.step = d < 0 ? 1 : wholeChunks(d, Math.max(1, maxRows / inner));
        }

        /** Rounds a length down to whole chunks; a length below one chunk stays. */
        private long wholeChunks(int d, long length) {
            CfVariable first = selections.get(0).variable();
            long chunk = first.array().chunkShape()[first.dimensions().indexOf(dimensions.get(d))];
            return length < chunk ? length : length / chunk * chunk;
        }

        @Override
        public boolean hasNext() {
            return !isDone;
        }

        @Override
        public CfRows next() {
            if (isDone) {
                throw new NoSuchElementException();
            }
            long[] lengths = shape.clone();
            for (int d = 0; d < split; d++) {
                lengths[d] = 1;
            }
            if (split >= 0) {
                lengths[split] = end(split) - position[split];
            }
            Box box = Box.of(position.clone(), lengths);
            List<CfRows.Source> sources = new ArrayList<>();
            for (ColumnSource source : columnSources) {
                sources.add(new CfRows.Source(read(source, box), strides(source, lengths)));
            }
            advance();
            return new CfRows(columns, lengths, sources);
        }

        /**
         * Returns the end of a block along a dimension. If the selected indices are consecutive, blocks end at
         * multiples of {@code step} in the array, not in the table: a step of whole chunks then reads each chunk once.
         */
        private long end(int d) {
            long offset = axes.get(d).chosen().isEmpty() ? axes.get(d).first() % step : 0;
            return Math.min(shape[d], ((position[d] + offset) / step + 1) * step - offset);
        }

        private void advance() {
            if (split < 0) {
                isDone = true;
                return;
            }
            position[split] = end(split);
            for (int d = split; position[d] == shape[d]; d--) {
                if (d == 0) {
                    isDone = true;
                    return;
                }
                position[d] = 0;
                position[d - 1]++;
            }
        }

        private CfValues read(ColumnSource source, Box block) {
            long[] origin =
                    source.dimensions().stream().mapToLong(block::origin).toArray();
            long[] lengths =
                    source.dimensions().stream().mapToLong(block::shape).toArray();
            Box box = Box.of(origin, lengths);
            Kept last = kept.get(source);
            if (last != null && last.box().equals(box)) {
                return last.values();
            }
            CfValues read = source.selection()
                    .map(selection -> selection.read(views.computeIfAbsent(source, p -> selection.view()), box))
                    .orElseGet(() -> CfValues.ofIndices(
                            dimensions.get(source.dimensions().get(0)), indices(source, box)));
            kept.put(source, new Kept(box, read));
            return read;
        }

        private long[] indices(ColumnSource source, Box box) {
            return axes.get(source.dimensions().get(0)).indices(box.origin(0), box.end(0));
        }

        /**
         * Returns how far apart the elements of a column are for neighbours in each dimension of the block; 0 in
         * dimensions that the column does not have.
         */
        private long[] strides(ColumnSource source, long[] lengths) {
            long[] strides = new long[lengths.length];
            long next = 1;
            for (int k = source.dimensions().size() - 1; k >= 0; k--) {
                int d = source.dimensions().get(k);
                strides[d] = next;
                next *= lengths[d];
            }
            return strides;
        }
    }

    @Override
    public String toString() {
        return "table of " + rows() + " rows: "
                + columns.stream().map(CfColumn::name).toList();
    }
}
