package dev.shardkit.cf;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.type.CoreTypes;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * Decoded elements of a variable, with the names of their dimensions. {@link #kind} says which methods apply. Indices
 * are those of the elements that were read. The arrays are shared, not copied; as thread-safe as they are.
 */
public final class CfValues {
    private final CfKind kind;
    private final List<String> dimensions;
    private final NdArray values;
    /** The missing elements besides those that are NaN, or that are no moment or time span; empty if there are none. */
    private final Optional<boolean[]> missing;

    private final IntFunction<Optional<CfDateTime>> times;
    private final IntFunction<Optional<Duration>> durations;

    /** Functions that return the moment or the time span of the element at a position; empty if it has none. */
    record Meaning(IntFunction<Optional<CfDateTime>> times, IntFunction<Optional<Duration>> durations) {
        static final Meaning NONE = new Meaning(i -> Optional.empty(), i -> Optional.empty());
    }

    CfValues(CfKind kind, List<String> dimensions, NdArray values, Optional<boolean[]> missing, Meaning meaning) {
        this.kind = kind;
        this.dimensions = List.copyOf(dimensions);
        this.values = values;
        this.missing = missing;
        this.times = meaning.times();
        this.durations = meaning.durations();
    }

    /** Returns the indices of a dimension as its labels. */
    static CfValues ofIndices(String dimension, long[] indices) {
        NdArray values = NdArray.of(CoreTypes.INT64, new long[] {indices.length}, indices);
        return new CfValues(CfKind.NUMBER, List.of(dimension), values, Optional.empty(), Meaning.NONE);
    }

    /** Returns what the elements are. */
    public CfKind kind() {
        return kind;
    }

    /** Returns the names of the dimensions; dimensions that a selection reduced to one label are removed. */
    public List<String> dimensions() {
        return dimensions;
    }

    /** Returns the shape. */
    public long[] shape() {
        return values.shape();
    }

    /** Returns the number of elements. */
    public int count() {
        return Math.toIntExact(values.count());
    }

    /**
     * Returns the elements: numbers with NaN for missing ones, booleans or texts. Moments and time spans are the
     * numbers before units apply; {@link #missing} says which have no meaning.
     */
    public NdArray values() {
        return values;
    }

    /**
     * Returns numbers as {@code double}, in C order; missing ones are NaN. Integers beyond 2^53 are rounded.
     *
     * @throws IllegalStateException if the elements are no numbers
     */
    public double[] doubles() {
        if (values.array() instanceof double[] own && kind == CfKind.NUMBER) {
            return own;
        }
        NumberArrayReader numbers = numbers();
        boolean[] mask = missing();
        double[] result = new double[mask.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = mask[i] ? Double.NaN : numbers.number(i);
        }
        return result;
    }

    /** Returns one number, as {@link #doubles} does. Without dimensions, the only element has no index. */
    public double doubleAt(long... index) {
        int i = at(index);
        return isMissing(i) ? Double.NaN : numbers().number(i);
    }

    /**
     * Returns a number as an integer of 64 bits; empty if it is missing or no integer. Floating-point numbers of 2^53
     * and more are no integers, as they may be rounded. Unsigned integers of 2^63 and more are returned by their bits,
     * as negative numbers.
     *
     * @param i the position of the element, in C order
     * @throws IllegalStateException if the elements are no numbers
     */
    public OptionalLong integer(int i) {
        NumberArrayReader numbers = numbers();
        if (isMissing(i)) {
            return OptionalLong.empty();
        } else if (numbers.isWhole()) {
            return OptionalLong.of(numbers.whole(i));
        }
        double number = numbers.number(i);
        return number == Math.rint(number) && Math.abs(number) < 0x1p53
                ? OptionalLong.of((long) number)
                : OptionalLong.empty();
    }

    private NumberArrayReader numbers() {
        if (kind == CfKind.TEXT
                || kind == CfKind.BOOLEAN
                || kind == CfKind.OTHER
                || values.dataType().number().isEmpty()) {
            throw new IllegalStateException("expected numbers, found elements of the kind " + kind);
        }
        return NumberArrayReader.of(values);
    }

    /**
     * Returns which elements are missing, in C order. Numbers that are NaN count as missing, and so do moments and time
     * spans that have no value.
     */
    public boolean[] missing() {
        boolean[] mask = new boolean[count()];
        for (int i = 0; i < mask.length; i++) {
            mask[i] = isMissing(i);
        }
        return mask;
    }

    /** Returns whether an element is missing. */
    public boolean isMissingAt(long... index) {
        return isMissing(at(index));
    }

    private boolean isMissing(int i) {
        if (missing.isPresent() && missing.get()[i]) {
            return true;
        }
        return switch (kind) {
            case NUMBER -> isNan(i);
            case TIME -> times.apply(i).isEmpty();
            case DURATION -> durations.apply(i).isEmpty();
            // only numbers can be NaN; in a complex array, the word at i belongs to another element
            default -> false;
        };
    }

    private boolean isNan(int i) {
        Object array = values.array();
        return array instanceof double[] doubles && Double.isNaN(doubles[i])
                || array instanceof float[] floats && Float.isNaN(floats[i]);
    }

    /** Returns one moment; empty if it is missing or the elements are no moments. */
    public Optional<CfDateTime> timeAt(long... index) {
        return time(at(index));
    }

    private Optional<CfDateTime> time(int i) {
        return missing.map(mask -> mask[i]).orElse(false) ? Optional.empty() : times.apply(i);
    }

    /** Returns a view of the moments, in C order; missing ones are empty. */
    public List<Optional<CfDateTime>> times() {
        return new AbstractList<>() {
            @Override
            public Optional<CfDateTime> get(int i) {
                return time(i);
            }

            @Override
            public int size() {
                return count();
            }
        };
    }

    /** Returns one time span; empty if it is missing or the elements are no time spans. */
    public Optional<Duration> durationAt(long... index) {
        return duration(at(index));
    }

    private Optional<Duration> duration(int i) {
        return missing.map(mask -> mask[i]).orElse(false) ? Optional.empty() : durations.apply(i);
    }

    /** Returns a view of the time spans, in C order; missing ones are empty. */
    public List<Optional<Duration>> durations() {
        return new AbstractList<>() {
            @Override
            public Optional<Duration> get(int i) {
                return duration(i);
            }

            @Override
            public int size() {
                return count();
            }
        };
    }

    /**
     * Returns one text. A missing one is the text that stands for missing elements.
     *
     * @throws IllegalStateException if the elements are no texts
     */
    public String textAt(long... index) {
        if (kind != CfKind.TEXT) {
            throw new IllegalStateException("expected texts, found elements of the kind " + kind);
        }
        return values.strings()[at(index)];
    }

    /** Returns some elements, in the order of {@code indices}, with other dimensions. */
    CfValues take(int[] indices, List<String> names, long[] shape) {
        // complex numbers and raw bytes are several entries of the Java array
        int entries = values.count() == 0 ? 1 : Math.toIntExact(Array.getLength(values.array()) / values.count());
        Object picked = Array.newInstance(
                values.array().getClass().getComponentType(), Math.multiplyExact(indices.length, entries));
        boolean[] mask = new boolean[indices.length];
        for (int i = 0; i < indices.length; i++) {
            int from = indices[i];
            System.arraycopy(values.array(), from * entries, picked, i * entries, entries);
            mask[i] = missing.map(all -> all[from]).orElse(false);
        }
        return new CfValues(
                kind,
                names,
                NdArray.of(values.dataType(), shape, picked),
                missing.map(all -> mask),
                new Meaning(i -> times.apply(indices[i]), i -> durations.apply(indices[i])));
    }

    private int at(long... index) {
        long[] shape = values.shape();
        if (index.length != shape.length) {
            throw new IllegalArgumentException("expected " + shape.length + " indices for the dimensions " + dimensions
                    + ", found " + Arrays.toString(index));
        }
        for (int d = 0; d < shape.length; d++) {
            if (index[d] < 0 || index[d] >= shape[d]) {
                throw new IndexOutOfBoundsException(
                        "index " + Arrays.toString(index) + " is outside the shape " + Arrays.toString(shape));
            }
        }
        return (int) Shapes.ravel(index, shape);
    }

    @Override
    public String toString() {
        return kind + " " + dimensions + " " + values;
    }
}
