package dev.shardkit.maintenance.stats;

import dev.shardkit.Shards;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.BoxSplit;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.MissingValues;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes minimum, maximum, mean, histogram and the share of the fill value of an array or a region of it. Reads each
 * chunk once and keeps no elements, so an array of any size fits. If the store can list, chunks that are not stored
 * cost nothing: their elements count as fill values. Elements are the stored numbers: {@code scale_factor} and the like
 * are not applied. Minimum, maximum, mean and histogram skip missing elements ({@link SkippedElements}). Immutable and
 * thread-safe.
 */
public final class Statistics {
    private static final int BINS = 16;
    private static final int MAX_BINS = 1 << 16;
    /** The maximum number of elements of one read. */
    private static final long MAX_ELEMENTS = 1 << 26;

    private final ZarrArray array;
    private final Box region;
    private final int bins;
    private final SkippedElements skipped;
    private final Progress progress;

    private Statistics(ZarrArray array, Box region, int bins, SkippedElements skipped, Progress progress) {
        this.array = array;
        this.region = region;
        this.bins = bins;
        this.skipped = skipped;
        this.progress = progress;
    }

    /**
     * A bin of a histogram.
     *
     * @param from the start of the bin, inclusive
     * @param to the end of the bin, exclusive
     * @param count the number of elements
     */
    public record Bin(double from, double to, long count) {}

    /**
     * Statistics of real numbers; of booleans as 0 and 1. Minimum, maximum, mean and histogram include only finite
     * numbers that are not missing. NaN, infinities and missing elements are only counted.
     *
     * @param min the least number, in the form of a fill value; empty if there is no finite number
     * @param max the greatest number
     * @param mean the mean; for integers, the exact mean, rounded
     * @param nans the number of NaN
     * @param infinities the number of infinities of either sign
     * @param missing the number of other elements that were skipped ({@link #withSkipped})
     * @param histogram the bins from the minimum to the maximum. All have the same width, a power of two, and begin at
     *     a multiple of it.
     */
    public record Numbers(
            Optional<Json> min,
            Optional<Json> max,
            Optional<Double> mean,
            long nans,
            long infinities,
            long missing,
            List<Bin> histogram) {}

    /**
     * The statistics.
     *
     * @param elements the number of elements
     * @param fill how many of them have the bits of the fill value
     * @param numbers the statistics of numbers; empty for other data types, such as text, times and complex numbers
     * @param notApplied the attributes of the CF conventions that the statistics ignore: {@code scale_factor},
     *     {@code add_offset}, {@code _Unsigned} and valid ranges, because the statistics describe the stored numbers;
     *     and a {@code _FillValue} or {@code missing_value} that no element of the data type can have
     */
    public record Result(long elements, long fill, Optional<Numbers> numbers, List<String> notApplied) {}

    /** Creates statistics of the whole array, with a histogram of at most 16 bins. */
    public static Statistics of(ZarrArray array) {
        return new Statistics(array, array.domain(), BINS, SkippedElements.MISSING, (path, done, total) -> {});
    }

    /**
     * Returns these statistics for a region.
     *
     * @throws IndexOutOfBoundsException if the region exceeds the array
     */
    public Statistics within(Box part) {
        if (!array.domain().contains(part)) {
            throw new IndexOutOfBoundsException(
                    "region " + part + " of an array of shape " + Arrays.toString(array.shape()));
        }
        return new Statistics(array, part, bins, skipped, progress);
    }

    /**
     * Returns these statistics with a histogram of at most {@code maxBins} bins.
     *
     * @throws IllegalArgumentException unless 8 &lt;= maxBins &lt;= 65536
     */
    public Statistics withBins(int maxBins) {
        checkBins(maxBins);
        return new Statistics(array, region, maxBins, skipped, progress);
    }

    static void checkBins(int maxBins) {
        if (maxBins < 8 || maxBins > MAX_BINS) {
            throw new IllegalArgumentException("expected 8 to " + MAX_BINS + " bins, found " + maxBins);
        }
    }

    /**
     * Returns statistics that skip these elements. The default is {@link SkippedElements#MISSING}. NaN is always only
     * counted.
     */
    public Statistics withSkipped(SkippedElements elements) {
        return new Statistics(array, region, bins, elements, progress);
    }

    /** Returns these statistics with a listener, which receives the number of elements that were read. */
    public Statistics withProgress(Progress listener) {
        return new Statistics(array, region, bins, skipped, listener);
    }

    /**
     * Reads the elements.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws dev.shardkit.spi.error.UnsupportedException if there are more than 2^53 elements
     */
    public Result run() {
        Collector collector = new Collector();
        long total = BoxSplit.countToRead(region, "choose a smaller region");
        StoredBoxes.visit(
                array,
                region,
                MAX_ELEMENTS,
                box -> read(box, collector, total),
                box -> collector.fill(array.fillValue(), box));
        return collector.result();
    }

    private void read(Box part, Collector collector, long total) {
        BoxSplit.visit(array, part, MAX_ELEMENTS, box -> {
            array.read(box, collector);
            progress.at(array.path(), collector.elements, total);
        });
    }

    /**
     * Reads the elements of a part of the shards that the region touches, for {@link #merged}. Counts are exact, so the
     * parts together have the figures of {@link #run}; only the mean of floating-point numbers may differ in its last
     * digits.
     *
     * @return a JSON document, for {@link #merged} of any process
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     */
    public Json.Obj runPart(Part part) {
        BoxSplit.countToRead(region, "choose a smaller region");
        Shards shards = array.shards(region);
        long first = part.first(shards.count());
        long end = part.end(shards.count());
        StoredArray inside = ArrayInternals.of(array);
        Box cells = inside.touched(region);
        long total = LongStream.range(first, end)
                .map(i -> inside.box(cells.at(i)).intersect(region).count())
                .sum();
        Collector collector = new Collector();
        LongStream shardNumbers =
                StoredBoxes.listed(array, cells, first, end).map(Arrays::stream).orElse(LongStream.range(first, end));
        shardNumbers.forEach(i -> read(shards.get(i).box(), collector, total));
        // The remaining elements are not stored. Only their number matters, so any box of that many elements will do.
        collector.fill(array.fillValue(), Box.of(new long[] {total - collector.elements}));
        Json.Obj document = PartialStatistics.document(
                PartialStatistics.digest(array, region, bins, skipped), part, collector.elements, collector.fills);
        return collector.numbers == null ? document : document.with("numbers", collector.numbers.state());
    }

    /**
     * Returns the statistics that combine the documents of {@link #runPart}. Reads no elements.
     *
     * @throws dev.shardkit.spi.error.StoreException if a part is missing
     * @throws IllegalArgumentException if a document is not that of a part of these statistics
     */
    public Result merged(Collection<Json.Obj> parts) {
        PartialStatistics.check(parts, PartialStatistics.digest(array, region, bins, skipped));
        Collector all = new Collector();
        for (Json.Obj part : parts) {
            all.elements += PartialStatistics.count(part, "elements");
            all.fills += PartialStatistics.count(part, "fill_elements");
            if (all.numbers != null) {
                all.numbers.add(PartialStatistics.object(part, "numbers"));
            }
        }
        return all.result();
    }

    /** Counts elements as they are decoded; decoding runs in several threads. */
    private final class Collector implements Target {
        private final byte[] fill = array.fillValue().bytes();
        private final @Nullable NumberTotals numbers =
                NumberTotals.of(array.dataType(), bins, skipped.words(array)).orElse(null);
        private long elements;
        private long fills;

        Result result() {
            return new Result(elements, fills, Optional.ofNullable(numbers).map(NumberTotals::result), notApplied());
        }

        private List<String> notApplied() {
            Stream<String> packing = Stream.of(
                            "scale_factor", "add_offset", "_Unsigned", "valid_range", "valid_min", "valid_max")
                    .filter(name -> array.attributes().get(name).isPresent());
            Stream<String> missing = skipped == SkippedElements.NONE
                    ? Stream.of()
                    : MissingValues.ignored(array.dataType(), array.attributes()).stream();
            return Stream.concat(packing, missing).toList();
        }

        @Override
        public synchronized void put(Elements from, long offset, long[] strides, Box at) {
            long[] none = new long[strides.length]; // walk takes two views; there is no second one here
            StridedRows.walk(at, offset, strides, 0, none, (first, step, b, ignored, n) -> {
                elements += n;
                for (long i = 0; i < n; i++) {
                    fills += isFill(from, first + i * step) ? 1 : 0;
                }
                if (numbers != null && from instanceof Elements.Fixed fixed) {
                    numbers.add(fixed, first, step, n);
                }
            });
        }

        @Override
        public synchronized void fill(FillValue value, Box at) {
            long n = Shapes.count(at.shape());
            elements += n;
            fills += value.equals(array.fillValue()) ? n : 0;
            if (numbers != null && n > 0) { // n is 0 if all chunks of a part are stored
                numbers.add(value, n);
            }
        }

        /** Whether element {@code i} has the bytes of the fill value, whose words are little-endian. */
        private boolean isFill(Elements from, long i) {
            if (from instanceof Elements.Variable variable) {
                return Arrays.equals(variable.values()[Math.toIntExact(i)], fill);
            }
            Elements.Fixed fixed = (Elements.Fixed) from;
            int at = Math.toIntExact(i * fixed.elementSize());
            int word = fixed.wordSize();
            boolean little = fixed.bytes().order() == ByteOrder.LITTLE_ENDIAN;
            for (int k = 0; k < fill.length; k++) {
                int stored = little ? k : k / word * word + word - 1 - k % word; // big-endian: reversed in each word
                if (fixed.bytes().get(at + stored) != fill[k]) {
                    return false;
                }
            }
            return true;
        }
    }
}
