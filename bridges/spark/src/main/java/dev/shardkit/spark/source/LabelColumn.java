package dev.shardkit.spark.source;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.jspecify.annotations.Nullable;

/**
 * A column with the labels of a coordinate of at most one dimension. The driver reads them, so that filters on labels
 * bound the region that executors read. Immutable.
 *
 * @param dimension the dimension of the labels; -1 for one label in all rows
 * @param column the kind of the labels
 * @param labels the labels as a Java array; times are microseconds
 * @param missing the labels that are null
 */
record LabelColumn(int dimension, Column column, Object labels, boolean[] missing) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Returns the label of an index in the form of Spark's internal rows; null if it is missing. */
    @Nullable
    Object at(long[] index) {
        int i = dimension < 0 ? 0 : (int) index[dimension];
        return missing[i] ? null : column.at(labels, i);
    }

    /** Whether any label is missing. */
    boolean isNullable() {
        for (boolean isMissing : missing) {
            if (isMissing) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the first and the last index whose label satisfies a comparison. If no label does, the first index is
     * greater than the last. Returns null if the filter does not compare labels with values of their kind.
     */
    long @Nullable [] bounds(Filter filter) {
        IntPredicate matches = matches(filter);
        if (matches == null) {
            return null;
        }
        long first = Long.MAX_VALUE;
        long last = -1;
        for (int i = 0; i < missing.length; i++) {
            if (!missing[i] && matches.test(i)) {
                first = Math.min(first, i);
                last = i;
            }
        }
        return new long[] {first, last};
    }

    /** Returns whether the label of an index satisfies a filter; null if the filter is no comparison of labels. */
    private @Nullable IntPredicate matches(Filter filter) {
        if (filter instanceof EqualTo f && isComparable(f.value())) {
            return i -> compare(i, f.value()) == 0;
        } else if (filter instanceof GreaterThan f && isComparable(f.value())) {
            return i -> compare(i, f.value()) > 0;
        } else if (filter instanceof GreaterThanOrEqual f && isComparable(f.value())) {
            return i -> compare(i, f.value()) >= 0;
        } else if (filter instanceof LessThan f && isComparable(f.value())) {
            return i -> compare(i, f.value()) < 0;
        } else if (filter instanceof LessThanOrEqual f && isComparable(f.value())) {
            return i -> compare(i, f.value()) <= 0;
        } else if (filter instanceof In f && Stream.of(f.values()).allMatch(this::isComparable)) {
            return i -> Stream.of(f.values()).anyMatch(value -> compare(i, value) == 0);
        }
        return null;
    }

    private boolean isComparable(@Nullable Object value) {
        return switch (column.kind()) {
            case TIMESTAMP -> value instanceof LocalDateTime;
            case DURATION -> value instanceof Duration;
            case TEXT -> value instanceof String;
            case LONG -> value instanceof Long;
            case BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, INT, UNSIGNED_INT, HALF, FLOAT, DOUBLE ->
                value instanceof Number number && !Double.isNaN(number.doubleValue());
            default -> false;
        };
    }

    private int compare(int i, Object value) {
        if (value instanceof String text) {
            return Arrays.compareUnsigned(utf8(((String[]) labels)[i]), utf8(text)); // Spark's order of texts
        } else if (value instanceof LocalDateTime time) {
            return Long.compare(Array.getLong(labels, i), micros(time));
        } else if (value instanceof Duration span) {
            return Long.compare(Array.getLong(labels, i), micros(span));
        } else if (value instanceof Long number && column.kind() == Column.Kind.LONG) {
            return Long.compare(Array.getLong(labels, i), number);
        }
        Number label = (Number) column.at(labels, i);
        return Double.compare(label.doubleValue() + 0.0, ((Number) value).doubleValue() + 0.0); // -0 equals 0
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long micros(LocalDateTime time) {
        return micros(Duration.ofSeconds(time.toEpochSecond(ZoneOffset.UTC), time.getNano()));
    }

    /** Returns a time span in microseconds, rounded to the nearest. */
    static long micros(Duration span) {
        Duration rounded = span.plusNanos(500);
        long seconds = rounded.getSeconds();
        long micros = rounded.getNano() / 1000;
        return seconds < 0 // count from the next second: in microseconds, the second before may not fit in 64 bits
                ? Math.addExact(Math.multiplyExact(seconds + 1, 1_000_000L), micros - 1_000_000)
                : Math.addExact(Math.multiplyExact(seconds, 1_000_000L), micros);
    }
}
