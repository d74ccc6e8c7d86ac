package dev.shardkit.maintenance.stats;

import dev.shardkit.NdArray;
import dev.shardkit.maintenance.stats.Statistics.Numbers;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.MissingValues;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Computes the minimum, the maximum, the mean and the histogram of numbers, for {@link Statistics}. Numbers come as
 * words: the bits of an element in a {@code long}. Not thread-safe.
 */
final class NumberTotals {
    /** The text of a double, as {@link Double#toString(double)} writes it. */
    private static final String REAL = "-?([0-9.]{1,30}(E-?[0-9]{1,3})?|Infinity|NaN)";

    private final DataType type;
    private final NumberFormat format;
    private final Histogram histogram;
    private final MissingValues skipped;
    private long finiteCount;
    private long nans;
    private long infinities;
    private long missing;
    /**
     * The smallest number; for integers as a number, for floating-point numbers as a word. Exact, unlike {@link #min}.
     */
    private long minWord;
    /** The largest number, in the form of {@link #minWord}. */
    private long maxWord;

    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    /** The sum of floating-point numbers, without the errors in {@link #sumError}. */
    private double sum;
    /** The rounding errors of {@link #sum}, which Neumaier's algorithm for accurate sums adds up separately. */
    private double sumError;
    /** The exact sum of integers. */
    private BigInteger wholeSum = BigInteger.ZERO;
    /** The part of the sum that is not in {@code wholeSum} yet. */
    private long smallSum;

    private NumberTotals(DataType type, NumberFormat format, int bins, MissingValues skipped) {
        this.type = type;
        this.format = format;
        this.skipped = skipped;
        this.histogram = Histogram.of(bins, format instanceof IntegerFormat);
    }

    /**
     * Returns totals for elements of {@code type}; empty if they are neither real numbers nor booleans. Skipped
     * elements are counted, but do not contribute to the results.
     */
    static Optional<NumberTotals> of(DataType type, int bins, MissingValues skipped) {
        if (type.name().equals("bool")) {
            return Optional.of(
                    new NumberTotals(type, new IntegerFormat(8, IntegerFormat.Sign.UNSIGNED), bins, skipped));
        }
        // A complex number has two words.
        boolean isReal = type.elementSize().orElse(-1) == type.carrier().wordSize();
        return type.number().filter(format -> isReal).map(format -> new NumberTotals(type, format, bins, skipped));
    }

    /** Adds {@code count} elements from index {@code from} in steps of {@code step}. */
    void add(Elements.Fixed elements, long from, long step, long count) {
        if (format instanceof IntegerFormat whole) {
            addIntegers(whole, elements, from, step, count);
            return;
        }
        for (long i = 0; i < count; i++) {
            addFloating(word(elements, from + i * step), 1);
        }
    }

    /**
     * Adds the numbers of an array, each {@code times} times.
     *
     * @param skip says for each number whether it is missing
     */
    void add(NdArray values, boolean[] skip, long times) {
        for (int i = 0; i < skip.length; i++) {
            if (skip[i]) {
                missing += times;
            } else if (format instanceof IntegerFormat whole) {
                long number = whole.value(word(values.array(), i));
                updateExtremes(whole, number);
                histogram.add(toDouble(whole, number), times);
                addToSum(whole, number, times);
                finiteCount += times;
            } else {
                addFloating(word(values.array(), i), times);
            }
        }
        addSmallSum();
    }

    /** Adds to the sum of integers. Uses {@link #smallSum}, which is faster, as long as that does not overflow. */
    private void addToSum(IntegerFormat whole, long number, long times) {
        long next = smallSum + number;
        boolean overflows = ((smallSum ^ next) & (number ^ next)) < 0;
        if (times == 1 && (whole.isSigned() || number >= 0) && !overflows) {
            smallSum = next;
        } else {
            wholeSum = wholeSum.add(toBigInteger(whole, number).multiply(BigInteger.valueOf(times)));
            addSmallSum();
        }
    }

    /** Moves {@link #smallSum} to {@link #wholeSum}. */
    private void addSmallSum() {
        wholeSum = wholeSum.add(BigInteger.valueOf(smallSum));
        smallSum = 0;
    }

    /** Returns the word of an element of a Java array. */
    private static long word(Object array, int i) {
        if (array instanceof double[] numbers) {
            return Double.doubleToRawLongBits(numbers[i]);
        } else if (array instanceof float[] numbers) {
            return Float.floatToRawIntBits(numbers[i]) & 0xffffffffL;
        } else if (array instanceof boolean[] flags) {
            return flags[i] ? 1 : 0;
        }
        return Array.getLong(array, i);
    }

    /** Adds {@code value} {@code times} times. */
    void add(FillValue value, long times) {
        long word = 0;
        for (int i = value.size() - 1; i >= 0; i--) { // fill values are little-endian
            word = word << 8 | value.byteAt(i) & 0xff;
        }
        if (format instanceof IntegerFormat whole) {
            if (skipped.contains(word)) {
                missing += times;
                return;
            }
            long number = whole.value(word);
            updateExtremes(whole, number);
            histogram.add(toDouble(whole, number), times);
            wholeSum = wholeSum.add(toBigInteger(whole, number).multiply(BigInteger.valueOf(times)));
            finiteCount += times;
        } else {
            addFloating(word, times);
        }
    }

    /**
     * Adds integers. Sums their lower and upper 32 bits separately in {@code long} variables, which is fast and exact.
     */
    private void addIntegers(IntegerFormat whole, Elements.Fixed elements, long from, long step, long count) {
        long lower = 0;
        long upper = 0;
        boolean skips = !skipped.isEmpty();
        long missingBefore = missing;
        for (long i = 0; i < count; i++) {
            long word = word(elements, from + i * step);
            if (skips && skipped.contains(word)) {
                missing++;
                continue;
            }
            long number = whole.value(word);
            updateExtremes(whole, number);
            histogram.add(toDouble(whole, number), 1);
            lower += number & 0xffffffffL;
            upper += whole.isSigned() ? number >> 32 : number >>> 32;
        }
        // A call adds fewer than 2^31 elements, so neither sum overflows.
        wholeSum = wholeSum.add(BigInteger.valueOf(upper).shiftLeft(32)).add(BigInteger.valueOf(lower));
        finiteCount += count - (missing - missingBefore);
    }

    private void updateExtremes(IntegerFormat whole, long number) {
        boolean isFirst = min > max;
        // Flipping the sign bit turns the order of unsigned numbers into that of signed ones.
        long flip = whole.isSigned() ? 0 : Long.MIN_VALUE;
        if (isFirst || (number ^ flip) < (minWord ^ flip)) {
            minWord = number;
            min = toDouble(whole, number);
        }
        if (isFirst || (number ^ flip) > (maxWord ^ flip)) {
            maxWord = number;
            max = toDouble(whole, number);
        }
    }

    private void addFloating(long word, long times) {
        double value = ((FloatingFormat) format).value(word);
        if (Double.isNaN(value)) {
            nans += times;
            return;
        } else if (skipped.contains(word)) {
            missing += times;
            return;
        } else if (Double.isInfinite(value)) {
            infinities += times;
            return;
        }
        finiteCount += times;
        updateExtremes(value, word);
        histogram.add(value, times);
        addToSum(value * times);
    }

    private void updateExtremes(double value, long word) {
        if (value < min) {
            min = value;
            minWord = word;
        }
        if (value > max) {
            max = value;
            maxWord = word;
        }
    }

    /** Adds to the sum of floating-point numbers. */
    private void addToSum(double added) {
        double next = sum + added;
        sumError += Math.abs(sum) >= Math.abs(added) ? sum - next + added : added - next + sum;
        sum = next;
    }

    private static double toDouble(IntegerFormat whole, long number) {
        return whole.isSigned() || number >= 0
                ? number
                : toBigInteger(whole, number).doubleValue();
    }

    private static BigInteger toBigInteger(IntegerFormat whole, long number) {
        return whole.isSigned() ? BigInteger.valueOf(number) : new BigInteger(whole.text(number));
    }

    /** Returns the word of an element. */
    private static long word(Elements.Fixed elements, long i) {
        ByteBuffer bytes = elements.bytes();
        int at = Math.toIntExact(i * elements.elementSize());
        return switch (elements.elementSize()) {
            case 1 -> bytes.get(at) & 0xffL;
            case 2 -> bytes.getShort(at) & 0xffffL;
            case 4 -> bytes.getInt(at) & 0xffffffffL;
            default -> bytes.getLong(at);
        };
    }

    /** Returns the state as JSON, for {@link #add(Json.Obj)} of other totals. */
    Json.Obj state() {
        return Json.object()
                .with("finite", Json.of(finiteCount))
                .with("nan", Json.of(nans))
                .with("infinite", Json.of(infinities))
                .with("missing", Json.of(missing))
                .with("min_word", Json.of(minWord))
                .with("max_word", Json.of(maxWord))
                .with("integer_sum", Json.of(wholeSum.toString()))
                .with("sum", Json.of(Double.toString(sum)))
                .with("sum_error", Json.of(Double.toString(sumError)))
                .with("histogram", histogram.state());
    }

    /**
     * Adds the numbers of other totals.
     *
     * @throws IllegalArgumentException if {@code state} is no state of totals for the same data type
     */
    void add(Json.Obj state) {
        long count = PartialStatistics.count(state, "finite");
        nans += PartialStatistics.count(state, "nan");
        infinities += PartialStatistics.count(state, "infinite");
        missing += PartialStatistics.count(state, "missing");
        if (count == 0) {
            return;
        }
        updateExtremes(PartialStatistics.number(state, "min_word"));
        updateExtremes(PartialStatistics.number(state, "max_word"));
        finiteCount += count;
        wholeSum = wholeSum.add(new BigInteger(PartialStatistics.text(state, "integer_sum", "-?[0-9]{1,60}")));
        addToSum(Double.parseDouble(PartialStatistics.text(state, "sum", REAL)));
        sumError += Double.parseDouble(PartialStatistics.text(state, "sum_error", REAL));
        histogram.add(PartialStatistics.object(state, "histogram"));
    }

    private void updateExtremes(long word) {
        if (format instanceof IntegerFormat whole) {
            updateExtremes(whole, word);
        } else {
            updateExtremes(((FloatingFormat) format).value(word), word);
        }
    }

    /** Returns the totals. */
    Numbers result() {
        boolean hasNumbers = finiteCount > 0;
        return new Numbers(
                hasNumbers ? Optional.of(json(minWord)) : Optional.empty(),
                hasNumbers ? Optional.of(json(maxWord)) : Optional.empty(),
                hasNumbers ? Optional.of(mean()) : Optional.empty(),
                nans,
                infinities,
                missing,
                histogram.bins());
    }

    private double mean() {
        if (format instanceof IntegerFormat) {
            return new BigDecimal(wholeSum)
                    .divide(BigDecimal.valueOf(finiteCount), MathContext.DECIMAL128)
                    .doubleValue();
        }
        // If the sum overflows, its error is meaningless. The mean is then infinite, as in NumPy.
        return (Double.isInfinite(sum) ? sum : sum + sumError) / finiteCount;
    }

    private Json json(long word) {
        byte[] bytes = new byte[type.elementSize().orElseThrow()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (word >>> 8 * i);
        }
        return type.formatFill(FillValue.of(bytes));
    }
}
