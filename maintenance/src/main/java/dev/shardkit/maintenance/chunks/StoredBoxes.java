package dev.shardkit.maintenance.chunks;

import dev.shardkit.PresentChunk;
import dev.shardkit.ZarrArray;
import dev.shardkit.region.ListedCells;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.store.Listings;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

/**
 * Splits a region of an array into boxes whose stored chunks (shards, if there are any) all exist, and boxes without
 * any. A job over a sparse array then takes time for each chunk that is stored, not for each cell of the grid. The
 * chunks are those that the store lists when the visit begins. Holds eight bytes for each stored chunk, and as many
 * again during a visit. Immutable.
 */
public final class StoredBoxes {
    /** The maximum number of cells whose numbers are kept in memory. */
    private static final long MAX_CELLS = 1L << 26;
    /** The number of comparisons with stored chunks that cost as much as a binary search for a row. */
    private static final int SEARCH = 2;

    private final StoredArray array;
    private final Box region;
    /** The box of the grid that the region touches. */
    private final Box cells;
    /** The stored chunks: their numbers in C order within {@link #cells}, ascending. */
    private final long[] numbers;

    private StoredBoxes(StoredArray array, Box region, Box cells, long[] numbers) {
        this.array = array;
        this.region = region;
        this.cells = cells;
        this.numbers = numbers;
    }

    /**
     * Visits boxes that together cover {@code region} once. Lists the store once if it can list. Otherwise, and if the
     * region touches few chunks or the array's options refuse missing chunks, all of them count as stored.
     *
     * @param maxElements the maximum number of elements of a box of {@code stored}; a box of {@code absent} may have
     *     more
     * @param stored receives the boxes to read
     * @param absent receives the boxes that hold the fill value
     * @throws dev.shardkit.spi.error.StoreException if the store fails
     */
    public static void visit(
            ZarrArray array, Box region, long maxElements, Consumer<Box> stored, Consumer<Box> absent) {
        Consumer<Box> split = box -> BoxSplit.visit(array, box, maxElements, stored);
        of(array, region).ifPresentOrElse(boxes -> boxes.visit(maxElements, split, absent), () -> split.accept(region));
    }

    /**
     * Lists the stored chunks that {@code region} touches, once for all visits. Returns empty if the store cannot list,
     * if chunk keys cannot be parsed, or if checking each chunk is cheaper.
     */
    public static Optional<StoredBoxes> of(ZarrArray array, Box region) {
        StoredArray inside = ArrayInternals.of(array);
        Box cells = inside.touched(region);
        return listed(array, cells).map(numbers -> new StoredBoxes(inside, region, cells, numbers));
    }

    /**
     * Returns the chunks of a new array that depend on stored chunks of another array. The other chunks stay absent.
     * Returns empty if the chunks of {@code from} cannot be listed, the arrays have other fill values, or there are too
     * many chunks.
     *
     * @param made returns the elements of {@code to} that depend on those of a box of {@code from}
     */
    public static Optional<StoredBoxes> madeOf(UnchangedArrayReads from, ZarrArray to, UnaryOperator<Box> made) {
        return from.array().fillValue().equals(to.fillValue()) ? dependent(from, to, made) : Optional.empty();
    }

    /**
     * Returns the same for arrays that may have different fill values. If they do, the other chunks cannot stay absent:
     * they hold the fill value of {@code from}.
     */
    public static Optional<StoredBoxes> dependent(UnchangedArrayReads from, ZarrArray to, UnaryOperator<Box> made) {
        StoredArray target = ArrayInternals.of(to);
        Box cells = Box.of(target.cells());
        ZarrArray source = from.array();
        boolean lists = ArrayInternals.of(source).node().session().store().can(Listings.class);
        if (!lists
                || !ArrayInternals.fillsMissingChunks(source)
                || Shapes.exactCount(cells.shape()).bitLength() >= Long.SIZE) {
            return Optional.empty();
        }
        LongStream.Builder numbers = LongStream.builder();
        long count = 0;
        Iterator<Box> stored = from.stored().map(StoredBoxes::boxes).orElseGet(() -> StreamSupport.stream(
                        source.presence().atLevel(0).spliterator(), false)
                .map(PresentChunk::box)
                .iterator());
        while (stored.hasNext()) {
            Box touched = target.touched(made.apply(stored.next().intersect(source.domain())))
                    .intersect(cells);
            count += touched.count();
            if (count > MAX_CELLS) {
                return Optional.empty();
            }
            for (long i = 0; i < touched.count(); i++) {
                numbers.add(number(touched.at(i), cells));
            }
        }
        long[] all = numbers.build().sorted().distinct().toArray();
        return Optional.of(new StoredBoxes(target, to.domain(), cells, all));
    }

    private Iterator<Box> boxes() {
        return Arrays.stream(numbers)
                .mapToObj(number -> array.box(cells.at(number)))
                .iterator();
    }

    /** Returns the number of stored chunks. */
    public long count() {
        return numbers.length;
    }

    /** Whether the chunk with this number, in C order within the touched box of the grid, is a stored one. */
    public boolean has(long number) {
        return Arrays.binarySearch(numbers, number) >= 0;
    }

    /**
     * Lists the stored chunks of a box of the grid. Returns their numbers in C order within the box, ascending; empty
     * as for {@link #of(ZarrArray, Box)}.
     */
    public static Optional<long[]> listed(ZarrArray array, Box cells) {
        StoredArray inside = ArrayInternals.of(array);
        boolean haveNumbers = Shapes.exactCount(cells.shape()).bitLength() < Long.SIZE;
        if (!haveNumbers || !ArrayInternals.fillsMissingChunks(array)) {
            return Optional.empty();
        }
        ListedCells listed = ListedCells.of(inside.node(), inside.chunks(), cells);
        if (!listed.areListed()) {
            return Optional.empty();
        }
        LongStream.Builder numbers = LongStream.builder();
        listed.forEachRemaining(cell -> numbers.add(number(cell, cells)));
        if (inside.node().session().isLocal()) {
            inside.shape().refuseRemoved(); // an array that was moved lists nothing, and must not read as fill values
        }
        return Optional.of(numbers.build().toArray());
    }

    /**
     * Lists the stored chunks of a run of a box of the grid, and no rows of the grid beyond it. Returns their numbers
     * in C order within the box, ascending; empty as for {@link #of(ZarrArray, Box)}, and for an empty run.
     */
    public static Optional<long[]> listed(ZarrArray array, Box cells, long first, long end) {
        if (first == end || cells.rank() == 0) {
            return Optional.empty();
        }
        long[] origin = cells.origin();
        origin[0] = cells.at(first)[0];
        long[] shape = cells.shape();
        shape[0] = cells.at(end - 1)[0] + 1 - origin[0];
        long before = (origin[0] - cells.origin(0)) * (cells.count() / cells.shape(0));
        return listed(array, Box.of(origin, shape)).map(numbers -> Arrays.stream(numbers)
                .map(n -> before + n)
                .filter(n -> n >= first && n < end)
                .toArray());
    }

    /**
     * Adds the chunks of this array that the stored chunks of another array of the same shape touch. Returns empty if
     * they are too many.
     */
    public Optional<StoredBoxes> union(StoredBoxes second) {
        LongStream.Builder all = LongStream.builder();
        Arrays.stream(numbers).forEach(all);
        long count = numbers.length;
        for (long number : second.numbers) {
            Box touched =
                    array.touched(second.array.box(second.cells.at(number)).intersect(region));
            count += touched.count();
            if (count > MAX_CELLS) {
                return Optional.empty();
            }
            for (long i = 0; i < touched.count(); i++) {
                all.add(number(touched.at(i), cells));
            }
        }
        long[] merged = all.build().sorted().distinct().toArray();
        return Optional.of(new StoredBoxes(array, region, cells, merged));
    }

    /**
     * Visits boxes that together cover the region once. A box of {@code stored} has at most {@code maxElements}
     * elements, unless a single chunk has more.
     *
     * @param absent receives boxes, of any size, that touch no stored chunk
     */
    public void visit(long maxElements, Consumer<Box> stored, Consumer<Box> absent) {
        long[] numbers = this.numbers.clone(); // partition reorders it
        visit(numbers, cells, 0, numbers.length, maxElements, stored, absent);
    }

    /**
     * Visits a part of the grid. Splits it in halves until no chunk or every chunk in it is stored.
     *
     * @param numbers the stored chunks; those of the part have the indices {@code from} to {@code to}, in any order
     */
    private void visit(
            long[] numbers, Box part, int from, int to, long maxElements, Consumer<Box> stored, Consumer<Box> absent) {
        if (part.isEmpty()) {
            return;
        }
        long count = part.count();
        Box box = elementBox(part);
        if (from == to) {
            absent.accept(box);
        } else if (count == 1 || count == to - from && fits(box, maxElements)) {
            stored.accept(box);
        } else {
            int d = widest(part);
            long cut = part.origin(d) + part.shape(d) / 2;
            int middle = partition(numbers, from, to, d, cut);
            long[] left = part.shape();
            left[d] = cut - part.origin(d);
            long[] right = part.shape();
            right[d] = part.end(d) - cut;
            long[] origin = part.origin();
            origin[d] = cut;
            visit(numbers, Box.of(part.origin(), left), from, middle, maxElements, stored, absent);
            visit(numbers, Box.of(origin, right), middle, to, maxElements, stored, absent);
        }
    }

    /**
     * Returns the stored chunks that a part of the region touches. Costs a binary search for each row of chunks in the
     * part, or a comparison with each stored chunk between its first and last one in C order, whichever is cheaper.
     */
    public StoredBoxes within(Box part) {
        Box inside = array.touched(part);
        LongStream.Builder some = LongStream.builder();
        if (!inside.isEmpty()) {
            long begin = number(inside.origin(), cells);
            long end = number(inside.at(inside.count() - 1), cells);
            int last = inside.rank() - 1;
            long row = last < 0 ? 1 : inside.shape(last);
            long rows = inside.count() / row;
            if (rows < (lowerBound(end + 1) - lowerBound(begin)) / SEARCH) {
                for (long i = 0; i < rows; i++) {
                    long start = number(inside.at(i * row), cells);
                    for (int at = lowerBound(start); at < numbers.length && numbers[at] < start + row; at++) {
                        some.add(i * row + numbers[at] - start);
                    }
                }
            } else {
                for (int i = lowerBound(begin); i < numbers.length && numbers[i] <= end; i++) {
                    long[] cell = cells.at(numbers[i]);
                    if (contains(inside, cell)) {
                        some.add(number(cell, inside));
                    }
                }
            }
        }
        return new StoredBoxes(array, part, inside, some.build().toArray());
    }

    /** Whether a part of the region touches a stored chunk. */
    boolean touches(Box part) {
        Box inside = array.touched(part);
        if (inside.isEmpty()) {
            return false;
        }
        long begin = number(inside.origin(), cells);
        long end = number(inside.at(inside.count() - 1), cells);
        int at = lowerBound(begin);
        if (at == numbers.length || numbers[at] > end) {
            return false;
        }
        return contains(inside, cells.at(numbers[at])) || within(part).count() > 0;
    }

    /** Returns the index of the first stored chunk with this number or a higher one. */
    private int lowerBound(long number) {
        int found = Arrays.binarySearch(numbers, number);
        return found < 0 ? -found - 1 : found;
    }

    private static boolean contains(Box box, long[] cell) {
        for (int d = 0; d < cell.length; d++) {
            if (cell[d] < box.origin(d) || cell[d] >= box.end(d)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Moves the numbers of cells before {@code cut} in dimension {@code d} to the front of the range. Returns where the
     * others begin.
     */
    private int partition(long[] numbers, int from, int to, int d, long cut) {
        long step = 1;
        for (int e = d + 1; e < cells.rank(); e++) {
            step *= cells.shape(e);
        }
        int middle = from;
        for (int i = from; i < to; i++) {
            long number = numbers[i];
            if (cells.origin(d) + number / step % cells.shape(d) < cut) {
                numbers[i] = numbers[middle];
                numbers[middle++] = number;
            }
        }
        return middle;
    }

    private static boolean fits(Box box, long maxElements) {
        return Shapes.exactCount(box.shape()).compareTo(BigInteger.valueOf(maxElements)) <= 0;
    }

    /** Returns the elements of a part of the grid that lie in the region. */
    private Box elementBox(Box part) {
        long[] last = part.origin();
        for (int d = 0; d < last.length; d++) {
            last[d] += part.shape(d) - 1;
        }
        Box first = array.box(part.origin());
        Box end = array.box(last);
        long[] shape = new long[last.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = end.end(d) - first.origin(d);
        }
        return Box.of(first.origin(), shape).intersect(region);
    }

    private static int widest(Box part) {
        int widest = 0;
        for (int d = 1; d < part.rank(); d++) {
            widest = part.shape(d) > part.shape(widest) ? d : widest;
        }
        return widest;
    }

    /** Returns the number of a cell in C order within a box of the grid. */
    private static long number(long[] cell, Box cells) {
        long[] relative = cell.clone();
        for (int d = 0; d < relative.length; d++) {
            relative[d] -= cells.origin(d);
        }
        return Shapes.ravel(relative, cells.shape());
    }
}
