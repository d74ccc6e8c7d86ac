package dev.shardkit.cf;

import dev.shardkit.ZarrView;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A part of a variable, selected by labels of its coordinates:
 *
 * <pre>{@code
 * double kelvin = dataset.variable("t2m").select()
 *         .at("time", Instant.parse("2020-03-01T00:00:00Z"))
 *         .nearest("lat", 52.5)
 *         .nearest("lon", 13.4)
 *         .read()
 *         .doubleAt();
 * }</pre>
 *
 * <p>A coordinate is the name of a dimension with a coordinate variable, or of another coordinate with one dimension.
 * Labels are numbers, texts, {@link java.time.Duration}, and for times {@link java.time.Instant},
 * {@link java.time.LocalDateTime}, {@link java.time.LocalDate}, {@link java.time.OffsetDateTime}, {@link CfDateTime}
 * and texts such as {@code 2020-03-01T12:00}; times without a zone are UTC. Numbers are rounded to float32 where the
 * coordinate is float32, and to float64 unless it has integers of 2^53 and more, which are compared exactly. A method
 * that takes one label removes the dimension.
 *
 * <p>Nothing is read before {@link #read} or {@link #indices}. A coordinate is read once for each dataset, and again
 * after a write of the coordinate by its {@link CfVariable}. Then only inner chunks that hold selected elements are
 * read. Immutable and thread-safe.
 */
public final class CfSelection {
    /** The degrees after which the labels of a cyclic coordinate repeat. */
    private static final double FULL_CIRCLE = 360;

    /**
     * The selection along one dimension.
     *
     * @param width whether the dimension remains in the result
     * @param coordinates the coordinates whose labels must be read before the indices are known
     * @param indices returns the selected indices of the dimension; reads the coordinates if they are not read yet
     */
    private record Axis(Width width, List<CfVariable> coordinates, Supplier<long[]> indices) {}

    /** How many indices of a dimension are selected, and so whether the dimension remains in the result. */
    private enum Width {
        /** One index; the dimension is removed. */
        ONE,
        /** A list of indices, which may have one or none; the dimension remains. */
        MANY
    }

    private final CfVariable variable;
    /** The selected dimensions; the others are read whole. */
    private final Map<String, Axis> axes;

    /** The difference after which labels repeat, for each coordinate that {@link #cyclic} named. */
    private final Map<String, Double> cycles;

    CfSelection(CfVariable variable) {
        this(variable, Map.of(), Map.of());
    }

    private CfSelection(CfVariable variable, Map<String, Axis> axes, Map<String, Double> cycles) {
        this.variable = variable;
        this.axes = axes;
        this.cycles = cycles;
    }

    /** Returns the variable. */
    public CfVariable variable() {
        return variable;
    }

    /** Selects the label that equals a value. */
    public CfSelection at(String coordinate, Object label) {
        return match(coordinate, label, CfMatch.EXACT);
    }

    /** Selects the label nearest to a value; the greater one of two that are equally near. */
    public CfSelection nearest(String coordinate, Object label) {
        return match(coordinate, label, CfMatch.NEAREST);
    }

    /**
     * Selects the label nearest to a value, at most {@code tolerance} away.
     *
     * @param tolerance a number, or a {@link java.time.Duration} for times
     */
    public CfSelection nearest(String coordinate, Object label, Object tolerance) {
        CfVariable labels = oneDimensional(coordinate);
        OptionalDouble cycle = cycle(coordinate);
        return withOne(labels, () -> labels.index().find(label, CfMatch.NEAREST, Optional.of(tolerance), cycle));
    }

    /** Selects the greatest label that is not greater than a value. */
    public CfSelection before(String coordinate, Object label) {
        return match(coordinate, label, CfMatch.BEFORE);
    }

    /** Selects the least label that is not less than a value. */
    public CfSelection after(String coordinate, Object label) {
        return match(coordinate, label, CfMatch.AFTER);
    }

    /**
     * Selects by a label that a user typed. On a coordinate of times, a text that names a year or a month selects the
     * times of this period, as {@link #within} does; with {@link CfMatch#EXACT}, so does a text that names a day or an
     * hour. Every other label is selected as {@link #at}, {@link #nearest}, {@link #before} and {@link #after} do.
     */
    public CfSelection sel(String coordinate, Object label, CfMatch match) {
        boolean isPeriod = oneDimensional(coordinate).kind() == CfKind.TIME
                && label instanceof String text
                && (match == CfMatch.EXACT ? CalendarPeriod.isHourOrMore(text) : CalendarPeriod.isMonthOrMore(text));
        return isPeriod ? within(coordinate, (String) label) : match(coordinate, label, match);
    }

    private CfSelection match(String coordinate, Object label, CfMatch match) {
        CfVariable labels = oneDimensional(coordinate);
        OptionalDouble cycle = cycle(coordinate);
        return withOne(labels, () -> labels.index().find(label, match, Optional.empty(), cycle));
    }

    /** Selects a list of labels, in this order. */
    public CfSelection labels(String coordinate, List<?> values, CfMatch match) {
        CfVariable labels = oneDimensional(coordinate);
        OptionalDouble cycle = cycle(coordinate);
        List<?> copy = List.copyOf(values);
        return with(labels.dimensions().get(0), new Axis(Width.MANY, List.of(labels), () -> copy.stream()
                .mapToLong(value -> labels.index().find(value, match, Optional.empty(), cycle))
                .toArray()));
    }

    /**
     * Selects the labels from one value to another, both inclusive, in the order of the dimension. The values may stand
     * in any order. Texts for times may be periods, as for {@link #within}, and are selected whole: {@code 2020-01} to
     * {@code 2020-03} ends with March. On a {@link #cyclic} coordinate, selects eastwards from the first value to the
     * second.
     */
    public CfSelection range(String coordinate, Object from, Object to) {
        CfVariable labels = oneDimensional(coordinate);
        OptionalDouble cycle = cycle(coordinate);
        return with(
                labels.dimensions().get(0),
                new Axis(
                        Width.MANY,
                        List.of(labels),
                        () -> longs(
                                cycle.isPresent()
                                        ? labels.index().cyclicRange(number(from), number(to), cycle.getAsDouble())
                                        : labels.index().range(from, to))));
    }

    /**
     * Selects the times within a year, month, day, hour, minute or second, in the order of the dimension: a text such
     * as {@code 2020}, {@code 2020-03}, {@code 2020-03-01} or {@code 2020-03-01T06}. The dimension remains, also if it
     * has one time or none in the period.
     */
    public CfSelection within(String coordinate, String period) {
        CfVariable labels = oneDimensional(coordinate);
        return with(
                labels.dimensions().get(0),
                new Axis(Width.MANY, List.of(labels), () -> longs(labels.index().within(period))));
    }

    private static long[] longs(int[] indices) {
        return Arrays.stream(indices).asLongStream().toArray();
    }

    private static double number(Object label) {
        if (label instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("expected a number as end of a cyclic range, found " + label);
    }

    /**
     * Selects one index of a dimension.
     *
     * @throws IndexOutOfBoundsException if the dimension has no such index
     */
    public CfSelection index(String dimension, long index) {
        int d = dimension(dimension);
        if (index < 0 || index >= variable.shape()[d]) {
            throw new IndexOutOfBoundsException(variable.location() + ": expected an index of the dimension "
                    + dimension + " below " + variable.shape()[d] + ", found " + index);
        }
        return with(dimension, oneIndex(List.of(), () -> index));
    }

    /**
     * Takes the labels of a coordinate as degrees of longitude, which repeat after 360: -10 is 350. A value and a label
     * on another turn are equal if they differ by rounding only: by two units in the last place of 360 in the type of
     * the coordinate, 6e-5 degrees in float32. Applies to later calls of the returned selection, not to labels that are
     * selected already.
     */
    public CfSelection cyclic(String coordinate) {
        if (oneDimensional(coordinate).kind() != CfKind.NUMBER) {
            throw new IllegalArgumentException(
                    variable.location() + ": expected numbers as labels of the cyclic " + "coordinate " + coordinate
                            + ", found the kind " + oneDimensional(coordinate).kind());
        }
        Map<String, Double> changed = new LinkedHashMap<>(cycles);
        changed.put(coordinate, FULL_CIRCLE);
        return new CfSelection(variable, axes, changed);
    }

    /** Returns the difference after which the labels of a coordinate repeat; empty if it is not cyclic. */
    private OptionalDouble cycle(String coordinate) {
        return cycles.containsKey(coordinate) ? OptionalDouble.of(cycles.get(coordinate)) : OptionalDouble.empty();
    }

    /**
     * Selects the point nearest to two values of coordinates that share two dimensions, such as {@code lat(y, x)} and
     * {@code lon(y, x)}. Distances are those on the sphere if the coordinates are latitude and longitude, otherwise
     * those in the plane. Both dimensions are removed.
     *
     * @throws IllegalArgumentException if the coordinates do not have the same two dimensions
     */
    public CfSelection nearestPoint(String first, double firstValue, String second, double secondValue) {
        CfVariable a = coordinate(first);
        CfVariable b = coordinate(second);
        if (a.dimensions().size() != 2 || !a.dimensions().equals(b.dimensions())) {
            throw new IllegalArgumentException(variable.location() + ": expected two coordinates with the same two "
                    + "dimensions, found " + a + " and " + b);
        }
        long columns = a.shape()[1];
        Supplier<Integer> found = () -> GridPoints.of(a, b).nearest(firstValue, secondValue);
        return with(a.dimensions().get(0), oneIndex(List.of(a, b), () -> found.get() / columns))
                .with(a.dimensions().get(1), oneIndex(List.of(a, b), () -> found.get() % columns));
    }

    private static Axis oneIndex(List<CfVariable> coordinates, LongSupplier index) {
        return new Axis(Width.ONE, coordinates, () -> new long[] {index.getAsLong()});
    }

    private CfSelection withOne(CfVariable labels, LongSupplier index) {
        return with(labels.dimensions().get(0), oneIndex(List.of(labels), index));
    }

    private CfSelection with(String dimension, Axis axis) {
        dimension(dimension);
        if (axes.containsKey(dimension)) {
            throw new IllegalArgumentException(
                    variable.location() + ": the dimension " + dimension + " is selected twice");
        }
        Map<String, Axis> changed = new LinkedHashMap<>(axes);
        changed.put(dimension, axis);
        return new CfSelection(variable, changed, cycles);
    }

    private int dimension(String name) {
        int d = variable.dimensions().indexOf(name);
        if (d < 0) {
            throw new IllegalArgumentException(variable.location() + ": expected one of the dimensions "
                    + variable.dimensions() + ", found " + name);
        }
        return d;
    }

    private CfVariable coordinate(String name) {
        return variable.coordinates().stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(variable.location()
                        + ": expected one of the coordinates "
                        + CfDataset.shortened(variable.coordinates().stream()
                                .map(CfVariable::name)
                                .toList())
                        + ", found " + name));
    }

    private CfVariable oneDimensional(String name) {
        CfVariable coordinate = coordinate(name);
        if (coordinate.dimensions().size() != 1) {
            throw new IllegalArgumentException(
                    variable.location() + ": expected a coordinate with one dimension, found " + coordinate
                            + "; nearestPoint selects by two coordinates of two dimensions");
        }
        return coordinate;
    }

    /**
     * Returns the selected indices of a dimension. Reads the coordinate if that has not been read.
     *
     * @throws IllegalArgumentException if a label does not exist
     */
    public long[] indices(String dimension) {
        int d = dimension(dimension);
        return axes.containsKey(dimension)
                ? axes.get(dimension).indices().get()
                : LongStream.range(0, variable.shape()[d]).toArray();
    }

    /**
     * Reads and decodes the selected elements.
     *
     * @throws IllegalArgumentException if a label does not exist; the message names the coordinate and its ends
     */
    public CfValues read() {
        return variable.decode(view(), dimensions());
    }

    /**
     * Asynchronous form of {@link #read}: first the coordinates are read that the selection needs, unless they have
     * been, then the elements. Cancelling the future stops the requests. Selections that begin at the same time may
     * read a coordinate more than once.
     */
    public CompletableFuture<CfValues> readAsync() {
        return SelectionRead.start(
                axes.values().stream()
                        .flatMap(axis -> axis.coordinates().stream())
                        .distinct()
                        .<Supplier<CompletableFuture<CfValues>>>map(coordinate -> coordinate::labelsAsync)
                        .toList(),
                () -> view().readAsync(),
                stored -> variable.decodeView(stored, dimensions()));
    }

    /**
     * Reads and decodes the elements at many points. Element i of the result, whose dimension is {@code point}, has the
     * i-th label of each list, as in {@code sel} of xarray with labels along a dimension of their own. Only the inner
     * chunks that hold points are read, each once.
     *
     * @param labels for each dimension that no index or label has reduced, the name of a coordinate along it and its
     *     labels; all lists have the same length, the number of points
     * @throws IllegalArgumentException if the lists have different lengths, a dimension has no labels or only a part of
     *     it is selected, or a label does not exist
     */
    public CfValues readPoints(Map<String, ? extends List<?>> labels, CfMatch match) {
        List<String> names = dimensions();
        if (variable.array().shape().length != variable.dimensions().size()) {
            throw new UnsupportedException(variable.location()
                    + ": points of texts that are stored as characters cannot be read; read a region, or one text");
        }
        names.stream().filter(axes::containsKey).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(variable.location() + ": points are chosen among all labels of a"
                    + " dimension, but a range or list of " + name + " is selected already; read it first, or leave it"
                    + " out");
        });
        Map<String, long[]> indices = new LinkedHashMap<>();
        for (Map.Entry<String, ? extends List<?>> entry : labels.entrySet()) {
            CfVariable coordinate = oneDimensional(entry.getKey());
            OptionalDouble cycle = cycle(entry.getKey());
            indices.put(
                    coordinate.dimensions().get(0),
                    entry.getValue().stream()
                            .mapToLong(label -> coordinate.index().find(label, match, Optional.empty(), cycle))
                            .toArray());
        }
        long[] counts = indices.values().stream()
                .mapToLong(list -> list.length)
                .distinct()
                .toArray();
        if (!indices.keySet().equals(Set.copyOf(names)) || indices.size() != labels.size() || counts.length != 1) {
            throw new IllegalArgumentException(variable.location() + ": expected labels for each of the dimensions "
                    + names + ", in lists of one length, found labels for " + labels.keySet()
                    + " in lists of the lengths "
                    + labels.values().stream().map(List::size).toList());
        }
        long[][] points = new long[(int) counts[0]][names.size()];
        for (int d = 0; d < names.size(); d++) {
            for (int i = 0; i < points.length; i++) {
                points[i][d] = indices.get(names.get(d))[i];
            }
        }
        // No dimension of the view is narrowed, so its positions are the indices in the whole coordinates.
        return variable.decodePoints(view().points(points).read());
    }

    /** Returns the selection of the same elements of another variable of the dataset, in the dimensions that it has. */
    CfSelection like(CfVariable other) {
        Map<String, Axis> shared = new LinkedHashMap<>(axes);
        shared.keySet().retainAll(other.dimensions());
        return new CfSelection(other, shared, cycles);
    }

    /**
     * Reads and decodes a part of the selected elements.
     *
     * @param all the view of all selected elements, from {@link #view}
     * @param part a region of the dimensions {@link #dimensions}
     */
    CfValues read(ZarrView all, Box part) {
        ZarrView view = all;
        for (int d = 0; d < part.rank(); d++) {
            view = view.range(d, part.origin(d), part.end(d));
        }
        return variable.decode(view, dimensions());
    }

    /** Returns a view of the selected elements as they are stored, with the dimensions {@link #dimensions}. */
    ZarrView view() {
        ZarrView view = variable.array().view();
        List<String> names = variable.dimensions();
        for (int d = names.size() - 1; d >= 0; d--) { // from the last one, because narrowing may remove a dimension
            if (axes.containsKey(names.get(d))) {
                view = narrowed(view, d, axes.get(names.get(d)));
            }
        }
        return view;
    }

    /** Returns the selected part of a view along one dimension. */
    private static ZarrView narrowed(ZarrView view, int dimension, Axis axis) {
        long[] indices = axis.indices().get();
        if (axis.width() == Width.ONE) {
            return view.at(dimension, indices[0]);
        }
        if (isRange(indices)) {
            long start = indices.length == 0 ? 0 : indices[0];
            return view.range(dimension, start, start + indices.length);
        }
        return view.indices(dimension, indices);
    }

    /**
     * Returns the selected elements as a region of the variable; empty unless the indices of each dimension are
     * consecutive and ascending. Reads the coordinates by which elements are selected.
     *
     * @throws IllegalArgumentException if a label does not exist
     */
    public Optional<Box> region() {
        long[] origin = new long[variable.dimensions().size()];
        long[] lengths = variable.shape();
        for (Map.Entry<String, Axis> axis : axes.entrySet()) {
            int d = dimension(axis.getKey());
            long[] indices = axis.getValue().indices().get();
            if (!isRange(indices)) {
                return Optional.empty();
            }
            origin[d] = indices.length == 0 ? 0 : indices[0];
            lengths[d] = indices.length;
        }
        return Optional.of(Box.of(origin, lengths));
    }

    /** Returns whether indices are consecutive and ascending. */
    private static boolean isRange(long[] indices) {
        return IntStream.range(1, indices.length).allMatch(i -> indices[i] == indices[i - 1] + 1);
    }

    /** Returns whether this selects a part of a dimension; the other dimensions are read whole. */
    public boolean isSelected(String dimension) {
        dimension(dimension);
        return axes.containsKey(dimension);
    }

    /** Returns the names of the dimensions of {@link #read}: those that are not reduced to one index. */
    public List<String> dimensions() {
        return variable.dimensions().stream()
                .filter(name -> !axes.containsKey(name) || axes.get(name).width() == Width.MANY)
                .toList();
    }

    /**
     * Returns the labels of the selected elements: the part of a coordinate with one dimension that this selection
     * selects.
     */
    public CfValues labels(String coordinate) {
        CfVariable labels = oneDimensional(coordinate);
        CfValues all = labels.labels();
        String dimension = labels.dimensions().get(0);
        if (!axes.containsKey(dimension)) {
            return all;
        }
        Axis axis = axes.get(dimension);
        long[] indices = axis.indices().get();
        boolean isOne = axis.width() == Width.ONE;
        return all.take(
                Arrays.stream(indices).mapToInt(Math::toIntExact).toArray(),
                isOne ? List.of() : labels.dimensions(),
                isOne ? new long[0] : new long[] {indices.length});
    }

    @Override
    public String toString() {
        return "selection of " + variable + " by " + axes.keySet();
    }
}
