package dev.shardkit.maintenance.stats;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfTable;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.BoxSplit;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.maintenance.stats.Statistics.Numbers;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.type.MissingValues;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Computes statistics of the physical values of a variable of the CF conventions, or of selected ones:
 * {@code scale_factor} and {@code add_offset} are applied, missing elements are only counted. Reads pieces, so a
 * variable of any size fits. Reads each chunk once, unless the selected elements are not contiguous. If the store can
 * list, chunks that are not stored cost nothing. Immutable and thread-safe.
 */
public final class VariableStatistics {
    private static final int BINS = 16;

    private static final String ADVICE = "choose a smaller region";
    /** The maximum number of texts of one read. */
    private static final long MAX_TEXTS = 1 << 20;
    /** The maximum number of other elements of one read. */
    private static final int MAX_ELEMENTS = 1 << 22;

    private final CfSelection selection;
    private final Optional<Box> region;
    private final int bins;
    private final Progress progress;

    private VariableStatistics(CfSelection selection, Optional<Box> region, int bins, Progress progress) {
        this.selection = selection;
        this.region = region;
        this.bins = bins;
        this.progress = progress;
    }

    /**
     * The statistics.
     *
     * @param elements the number of elements
     * @param missing how many of them are missing; NaN counts as missing
     * @param numbers the statistics of numbers, of booleans as 0 and 1, and of times as numbers in their units; empty
     *     for other elements
     */
    public record Result(long elements, long missing, Optional<Numbers> numbers) {}

    /** Creates statistics of a whole variable, with a histogram of at most 16 bins. */
    public static VariableStatistics of(CfVariable variable) {
        return of(variable.select());
    }

    /** Creates statistics of selected elements. */
    public static VariableStatistics of(CfSelection selection) {
        return new VariableStatistics(selection, Optional.empty(), BINS, (path, done, total) -> {});
    }

    /**
     * Returns these statistics for a region of the whole variable, in place of selected elements.
     *
     * @throws IndexOutOfBoundsException if the region exceeds the variable
     */
    public VariableStatistics within(Box part) {
        CfVariable variable = selection.variable();
        if (!Box.of(variable.shape()).contains(part)) {
            throw new IndexOutOfBoundsException(
                    "region " + part + " of a variable of shape " + Arrays.toString(variable.shape()));
        }
        return new VariableStatistics(variable.select(), Optional.of(part), bins, progress);
    }

    /**
     * Returns these statistics with a histogram of at most {@code maxBins} bins.
     *
     * @throws IllegalArgumentException unless 8 &lt;= maxBins &lt;= 65536
     */
    public VariableStatistics withBins(int maxBins) {
        Statistics.checkBins(maxBins);
        return new VariableStatistics(selection, region, maxBins, progress);
    }

    /** Returns these statistics with a listener, which receives the number of elements that were read. */
    public VariableStatistics withProgress(Progress listener) {
        return new VariableStatistics(selection, region, bins, listener);
    }

    /**
     * Reads the elements. Texts that cannot be missing are only counted, not read.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws dev.shardkit.spi.error.UnsupportedException if there are more than 2^53 elements
     * @throws IllegalArgumentException if a label of the selection does not exist
     */
    public Result run() {
        Collector collector = new Collector(selection.variable());
        Optional<Box> box = region.isPresent() ? region : selection.region();
        if (!selection.variable().canBeMissing()) {
            long elements = box.isPresent()
                    ? BoxSplit.countToRead(box.get(), ADVICE)
                    : CfTable.of(selection).rows();
            return new Result(elements, 0, Optional.empty());
        } else if (box.isPresent() && selection.variable().kind() != CfKind.TEXT) {
            read(box.get(), collector);
        } else {
            Positions all = box.map(Positions::of).orElseGet(() -> Positions.of(selection));
            BoxSplit.countToRead(all.box(), ADVICE);
            read(all, all.box(), collector);
        }
        return collector.result();
    }

    /**
     * The selected elements by their positions. In a dimension with listed indices, position {@code i} is the
     * {@code i}-th of them. In any other, positions are the array's own indices.
     *
     * @param listed the selected indices of each dimension; empty if positions are indices
     * @param box the positions of all selected elements
     */
    private record Positions(List<Optional<long[]>> listed, Box box) {
        static Positions of(Box region) {
            return new Positions(Collections.nCopies(region.rank(), Optional.empty()), region);
        }

        static Positions of(CfSelection selection) {
            List<Optional<long[]>> listed = selection.variable().dimensions().stream()
                    .map(name -> selection.isSelected(name)
                            ? Optional.of(selection.indices(name))
                            : Optional.<long[]>empty())
                    .toList();
            long[] lengths = selection.variable().shape();
            for (int d = 0; d < lengths.length; d++) {
                lengths[d] = listed.get(d).map(indices -> (long) indices.length).orElse(lengths[d]);
            }
            return new Positions(listed, Box.of(lengths));
        }

        /** Returns the elements at some positions, with all characters of texts. */
        ZarrView view(CfVariable variable, Box part) {
            ZarrView view = variable.array().view();
            for (int d = 0; d < part.rank(); d++) {
                // Positions in a list fit in an int; indices of the array may not.
                int from = listed.get(d).isPresent() ? (int) part.origin(d) : 0;
                int length = listed.get(d).isPresent() ? (int) part.shape(d) : 0;
                ZarrView whole = view;
                int dimension = d;
                view = listed.get(d)
                        .map(indices -> whole.indices(dimension, Arrays.copyOfRange(indices, from, from + length)))
                        .orElseGet(() -> whole.range(dimension, part.origin(dimension), part.end(dimension)));
            }
            return view;
        }
    }

    /** Reads elements in parts: halves of the longest dimension, until a part is small enough. */
    private void read(Positions all, Box part, Collector collector) {
        CfVariable variable = selection.variable();
        if (part.isEmpty()) {
            return;
        } else if (part.count() <= (variable.kind() == CfKind.TEXT ? MAX_TEXTS : MAX_ELEMENTS)) {
            collector.add(variable.decode(all.view(variable, part).read()), 1);
            progress.at(variable.array().path(), collector.elements, all.box().count());
            return;
        }
        long[] shape = part.shape();
        int longest = IntStream.range(0, shape.length)
                .reduce((a, b) -> shape[a] < shape[b] ? b : a)
                .orElseThrow();
        long[] first = shape.clone();
        first[longest] /= 2;
        long[] origin = part.origin();
        origin[longest] += first[longest];
        long[] rest = shape.clone();
        rest[longest] -= first[longest];
        read(all, Box.of(part.origin(), first), collector);
        read(all, Box.of(origin, rest), collector);
    }

    private void read(Box box, Collector collector) {
        CfVariable variable = selection.variable();
        ZarrArray array = variable.array();
        long total = BoxSplit.countToRead(box, ADVICE);
        StoredBoxes.visit(
                array,
                box,
                MAX_ELEMENTS,
                part -> {
                    collector.add(variable.decode(array.read(part)), 1);
                    progress.at(array.path(), collector.elements, total);
                },
                part -> collector.addFill(part));
    }

    /** Adds values up. Not thread-safe. */
    private final class Collector {
        private final CfVariable variable;
        private final Optional<NumberTotals> numbers;
        private long elements;
        private long missing;
        /** The value of elements that are not stored. */
        private Optional<CfValues> fill = Optional.empty();

        Collector(CfVariable variable) {
            this.variable = variable;
            boolean hasNumbers = variable.kind() == CfKind.NUMBER
                    || variable.kind() == CfKind.BOOLEAN
                    || variable.kind() == CfKind.TIME;
            this.numbers =
                    hasNumbers ? NumberTotals.of(variable.valueType(), bins, MissingValues.NONE) : Optional.empty();
        }

        /** Adds values, each as often as {@code times} says. */
        void add(CfValues values, long times) {
            boolean[] skip = values.missing();
            for (boolean is : skip) {
                missing += is ? times : 0;
            }
            elements += skip.length * times;
            numbers.ifPresent(totals -> totals.add(values.values(), skip, times));
        }

        /** Adds the elements of chunks that are not stored. */
        void addFill(Box box) {
            if (box.isEmpty()) {
                return;
            }
            long[] one = box.shape();
            Arrays.fill(one, 1);
            Box first = Box.of(box.origin(), one);
            CfValues value =
                    fill.orElseGet(() -> variable.decode(variable.array().read(first)));
            fill = Optional.of(value);
            add(value, box.count());
        }

        Result result() {
            return new Result(elements, missing, numbers.map(NumberTotals::result));
        }
    }
}
