package dev.shardkit.ome;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.array.WholeFormat;
import dev.shardkit.spi.type.MissingValues;
import java.util.Arrays;

/** Computes one word from several words of a data type. Stateless. */
interface Kernel {
    /** Returns the word for the first {@code count} words, at least one; may change {@code words}. */
    long apply(long[] words, int count);

    static Kernel of(DataType type, Reducer reducer) {
        if (type.carrier() == Carrier.BOOLEAN && reducer != Reducer.MEAN && reducer != Reducer.MEDIAN) {
            return whole(new WholeFormat(8, WholeFormat.Sign.UNSIGNED), reducer);
        }
        boolean isReal = type.elementSize().orElse(0) == type.carrier().wordSize(); // complex numbers have two words
        NumberFormat format = isReal ? type.number().orElse(null) : null;
        if (format instanceof WholeFormat whole) {
            return whole(whole, reducer);
        } else if (format instanceof FloatingFormat floating && reducer != Reducer.MODE) {
            return floating(floating, reducer);
        }
        throw new IllegalArgumentException(
                "expected " + expected(reducer) + " for the reducer " + reducer.text() + ", found " + type.name());
    }

    /**
     * Returns this kernel without the words that mark missing elements. If all of them do, the result is the first one.
     */
    default Kernel skipping(MissingValues missing) {
        if (missing.isEmpty()) {
            return this;
        }
        return (words, count) -> {
            long first = words[0];
            int kept = 0;
            for (int i = 0; i < count; i++) {
                if (!missing.contains(words[i])) {
                    words[kept++] = words[i];
                }
            }
            return kept == 0 ? first : apply(words, kept);
        };
    }

    private static String expected(Reducer reducer) {
        return reducer == Reducer.MODE ? "integers or booleans" : "numbers";
    }

    private static Kernel whole(WholeFormat format, Reducer reducer) {
        boolean isWide = format.bits() == 64 && !format.isSigned();
        return switch (reducer) {
            case MEAN -> (words, count) -> mean(values(format, words, count), count, isWide);
            case MAX ->
                (words, count) -> {
                    long most = format.value(words[0]);
                    for (int i = 1; i < count; i++) {
                        long value = format.value(words[i]);
                        most = (isWide ? Long.compareUnsigned(value, most) : Long.compare(value, most)) > 0
                                ? value
                                : most;
                    }
                    return most;
                };
            case MIN ->
                (words, count) -> {
                    long least = format.value(words[0]);
                    for (int i = 1; i < count; i++) {
                        long value = format.value(words[i]);
                        least = (isWide ? Long.compareUnsigned(value, least) : Long.compare(value, least)) < 0
                                ? value
                                : least;
                    }
                    return least;
                };
            case MEDIAN ->
                (words, count) -> {
                    long[] middle = middle(values(format, words, count), count, isWide ? Long.MIN_VALUE : 0);
                    return mean(middle, middle.length, isWide);
                };
            default -> (words, count) -> mode(values(format, words, count), count, isWide ? Long.MIN_VALUE : 0);
        };
    }

    private static long[] values(WholeFormat format, long[] words, int count) {
        for (int i = 0; i < count; i++) {
            words[i] = format.value(words[i]);
        }
        return words;
    }

    /** The exact mean, rounded to the nearest integer, halves to the even one. */
    private static long mean(long[] values, int count, boolean isUnsigned) {
        long whole = 0;
        long rest = 0;
        for (int i = 0; i < count; i++) {
            whole += isUnsigned ? Long.divideUnsigned(values[i], count) : Math.floorDiv(values[i], count);
            rest += isUnsigned ? Long.remainderUnsigned(values[i], count) : Math.floorMod(values[i], count);
        }
        whole += rest / count;
        rest %= count;
        return rest * 2 > count || rest * 2 == count && (whole & 1) == 1 ? whole + 1 : whole;
    }

    /** The value in the middle, or the two of an even count; for {@code flip} see {@link #mode}. */
    private static long[] middle(long[] values, int count, long flip) {
        for (int i = 0; i < count; i++) {
            values[i] ^= flip;
        }
        Arrays.sort(values, 0, count);
        long[] middle = Arrays.copyOfRange(values, (count - 1) / 2, count / 2 + 1);
        for (int i = 0; i < middle.length; i++) {
            middle[i] ^= flip;
        }
        return middle;
    }

    /** The most frequent value; {@code flip} makes the order of signed numbers that of the values. */
    private static long mode(long[] values, int count, long flip) {
        for (int i = 0; i < count; i++) {
            values[i] ^= flip;
        }
        Arrays.sort(values, 0, count);
        long best = values[0];
        int most = 0;
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || values[i] != values[start]) {
                if (i - start > most) {
                    most = i - start;
                    best = values[start];
                }
                start = i;
            }
        }
        return best ^ flip;
    }

    private static Kernel floating(FloatingFormat format, Reducer reducer) {
        return reducer == Reducer.MEDIAN
                ? (words, count) -> {
                    double[] values = new double[count];
                    for (int i = 0; i < count; i++) {
                        values[i] = format.value(words[i]);
                    }
                    return format.bitsOf(format.round(median(values)));
                }
                : (words, count) -> {
                    double result = reducer == Reducer.MEAN
                            ? 0
                            : reducer == Reducer.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
                    for (int i = 0; i < count; i++) {
                        double value = format.value(words[i]);
                        result = switch (reducer) {
                            case MEAN -> result + value;
                            case MIN -> Math.min(result, value);
                            default -> Math.max(result, value);
                        };
                    }
                    return format.bitsOf(format.round(reducer == Reducer.MEAN ? result / count : result));
                };
    }

    /** Returns the median; NaN if one of the values is NaN. */
    private static double median(double[] values) {
        Arrays.sort(values); // NaN is last
        double high = values[values.length / 2];
        double low = values[(values.length - 1) / 2];
        return Double.isNaN(values[values.length - 1]) ? Double.NaN : low == high ? low : (low + high) / 2;
    }
}
