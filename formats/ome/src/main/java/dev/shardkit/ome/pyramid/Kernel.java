package dev.shardkit.ome.pyramid;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.type.MissingValues;
import java.util.Arrays;

/**
 * Reduces the elements of a block to one element of the next coarser level of a pyramid. Elements are words: bit
 * patterns of a data type, each in a {@code long}. Stateless.
 */
interface Kernel {
    /** Reduces the first {@code count} words, of which there is at least one, to one word. May change {@code words}. */
    long apply(long[] words, int count);

    /**
     * Returns the kernel of a reducer.
     *
     * @throws IllegalArgumentException if the reducer does not support elements of {@code type}
     */
    static Kernel of(DataType type, Reducer reducer) {
        if (type.carrier() == Carrier.BOOLEAN && reducer != Reducer.MEAN && reducer != Reducer.MEDIAN) {
            return integerKernel(new IntegerFormat(8, IntegerFormat.Sign.UNSIGNED), reducer);
        }
        boolean isReal = type.elementSize().orElse(0) == type.carrier().wordSize(); // a complex number has two words
        NumberFormat format = isReal ? type.number().orElse(null) : null;
        if (format instanceof IntegerFormat integerFormat) {
            return integerKernel(integerFormat, reducer);
        } else if (format instanceof FloatingFormat floatingFormat && reducer != Reducer.MODE) {
            return floatingKernel(floatingFormat, reducer);
        }
        throw new IllegalArgumentException(
                "expected " + expectedTypes(reducer) + " for the reducer " + reducer.text() + ", found " + type.name());
    }

    /**
     * Returns this kernel without missing elements: it reduces only the words that do not mark a missing element. If
     * all elements are missing, the result is the first word.
     */
    default Kernel withoutMissing(MissingValues missing) {
        if (missing.isEmpty()) {
            return this;
        }
        return (words, count) -> {
            long first = words[0];
            int keptCount = 0;
            for (int i = 0; i < count; i++) {
                if (!missing.contains(words[i])) {
                    words[keptCount++] = words[i];
                }
            }
            return keptCount == 0 ? first : apply(words, keptCount);
        };
    }

    private static String expectedTypes(Reducer reducer) {
        return reducer == Reducer.MODE ? "integers or booleans" : "numbers";
    }

    private static Kernel integerKernel(IntegerFormat format, Reducer reducer) {
        // a long holds the values of all other types with their sign
        boolean isUnsigned64 = format.bits() == 64 && !format.isSigned();
        return switch (reducer) {
            case MEAN -> (words, count) -> mean(values(format, words, count), count, isUnsigned64);
            case MAX ->
                (words, count) -> {
                    long max = format.value(words[0]);
                    for (int i = 1; i < count; i++) {
                        long value = format.value(words[i]);
                        max = (isUnsigned64 ? Long.compareUnsigned(value, max) : Long.compare(value, max)) > 0
                                ? value
                                : max;
                    }
                    return max;
                };
            case MIN ->
                (words, count) -> {
                    long min = format.value(words[0]);
                    for (int i = 1; i < count; i++) {
                        long value = format.value(words[i]);
                        min = (isUnsigned64 ? Long.compareUnsigned(value, min) : Long.compare(value, min)) < 0
                                ? value
                                : min;
                    }
                    return min;
                };
            case MEDIAN ->
                (words, count) -> {
                    long[] middleValues =
                            middleValues(values(format, words, count), count, isUnsigned64 ? Long.MIN_VALUE : 0);
                    return mean(middleValues, middleValues.length, isUnsigned64);
                };
            default -> (words, count) -> mode(values(format, words, count), count, isUnsigned64 ? Long.MIN_VALUE : 0);
        };
    }

    /** Converts words to numbers in place. Unsigned 64-bit numbers keep their bits. */
    private static long[] values(IntegerFormat format, long[] words, int count) {
        for (int i = 0; i < count; i++) {
            words[i] = format.value(words[i]);
        }
        return words;
    }

    /**
     * Returns the exact mean, rounded to the nearest integer; halves are rounded to the even one. Divides each value by
     * the count before adding it, because the sum of 64-bit values can overflow. Adds the remainders separately.
     */
    private static long mean(long[] values, int count, boolean isUnsigned) {
        long quotientSum = 0;
        long remainderSum = 0;
        for (int i = 0; i < count; i++) {
            quotientSum += isUnsigned ? Long.divideUnsigned(values[i], count) : Math.floorDiv(values[i], count);
            remainderSum += isUnsigned ? Long.remainderUnsigned(values[i], count) : Math.floorMod(values[i], count);
        }
        quotientSum += remainderSum / count;
        remainderSum %= count;
        return remainderSum * 2 > count || remainderSum * 2 == count && (quotientSum & 1) == 1
                ? quotientSum + 1
                : quotientSum;
    }

    /**
     * Returns the median, or the two middle values of an even count.
     *
     * @param flip see {@link #mode}
     */
    private static long[] middleValues(long[] values, int count, long flip) {
        for (int i = 0; i < count; i++) {
            values[i] ^= flip;
        }
        Arrays.sort(values, 0, count);
        long[] middleValues = Arrays.copyOfRange(values, (count - 1) / 2, count / 2 + 1);
        for (int i = 0; i < middleValues.length; i++) {
            middleValues[i] ^= flip;
        }
        return middleValues;
    }

    /**
     * Returns the most frequent value; the smallest of them if there are several.
     *
     * @param flip a mask that is combined with each value by exclusive or, so that sorting them as signed numbers gives
     *     their true order: {@link Long#MIN_VALUE} for unsigned 64-bit numbers, 0 for others
     */
    private static long mode(long[] values, int count, long flip) {
        for (int i = 0; i < count; i++) {
            values[i] ^= flip;
        }
        Arrays.sort(values, 0, count);
        long mostFrequent = values[0];
        int maxCount = 0;
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || values[i] != values[start]) {
                if (i - start > maxCount) {
                    maxCount = i - start;
                    mostFrequent = values[start];
                }
                start = i;
            }
        }
        return mostFrequent ^ flip;
    }

    private static Kernel floatingKernel(FloatingFormat format, Reducer reducer) {
        if (reducer == Reducer.MEDIAN) {
            return (words, count) -> {
                double[] values = new double[count];
                for (int i = 0; i < count; i++) {
                    values[i] = format.value(words[i]);
                }
                return format.bitsOf(format.round(median(values)));
            };
        }
        // the value that leaves the first element as the result
        double initial =
                switch (reducer) {
                    case MEAN -> 0;
                    case MIN -> Double.POSITIVE_INFINITY;
                    default -> Double.NEGATIVE_INFINITY;
                };
        return (words, count) -> {
            double result = initial;
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
        if (Double.isNaN(values[values.length - 1])) {
            return Double.NaN;
        }
        double upper = values[values.length / 2];
        double lower = values[(values.length - 1) / 2];
        return lower == upper ? lower : (lower + upper) / 2;
    }
}
