package dev.shardkit.spark.source;

import dev.shardkit.spi.array.Box;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;

/**
 * The smallest box that holds all coordinates that satisfy a query's filters. The scan reads only this box. Used by one
 * thread.
 */
final class CoordinateBounds {
    private final TableColumns table;
    private final long[] first;
    private final long[] last;

    CoordinateBounds(TableColumns table) {
        this.table = table;
        this.first = new long[table.shape().length];
        this.last = Arrays.stream(table.shape()).map(length -> length - 1).toArray();
    }

    /** Reduces the box to the coordinates that satisfy a filter. Returns whether the filter bounds coordinates. */
    boolean add(Filter filter) {
        if (filter instanceof And and) {
            boolean left = add(and.left());
            return add(and.right()) || left;
        } else if (isOfLabels(filter)) {
            return addLabels(table.labels().columns().get(filter.references()[0]), filter);
        } else if (filter instanceof EqualTo f) {
            return add(f.attribute(), f.value(), f.value());
        } else if (filter instanceof GreaterThanOrEqual f) {
            return add(f.attribute(), f.value(), Long.MAX_VALUE);
        } else if (filter instanceof GreaterThan f) {
            // At the largest and the smallest long, the bound includes the value: Spark evaluates the filter again.
            return f.value() instanceof Long value
                    && add(f.attribute(), value == Long.MAX_VALUE ? value : value + 1, Long.MAX_VALUE);
        } else if (filter instanceof LessThanOrEqual f) {
            return add(f.attribute(), Long.MIN_VALUE, f.value());
        } else if (filter instanceof LessThan f) {
            return f.value() instanceof Long value
                    && add(f.attribute(), Long.MIN_VALUE, value == Long.MIN_VALUE ? value : value - 1);
        } else if (filter instanceof In f && Arrays.stream(f.values()).allMatch(Long.class::isInstance)) {
            long[] values =
                    Arrays.stream(f.values()).mapToLong(Long.class::cast).toArray();
            return values.length > 0
                    && add(
                            f.attribute(),
                            Arrays.stream(values).min().getAsLong(),
                            Arrays.stream(values).max().getAsLong());
        }
        return false;
    }

    /** Whether the filter compares the labels of a single coordinate. */
    private boolean isOfLabels(Filter filter) {
        return filter.references().length == 1 && table.labels().columns().containsKey(filter.references()[0]);
    }

    /** Bounds the indices whose labels satisfy a comparison. */
    private boolean addLabels(LabelColumn labels, Filter filter) {
        long[] bounds = labels.dimension() < 0 ? null : labels.bounds(filter);
        if (bounds == null) {
            return false;
        }
        int d = labels.dimension();
        first[d] = Math.max(first[d], bounds[0]);
        last[d] = Math.min(last[d], bounds[1]);
        return true;
    }

    private boolean add(String column, Object min, Object max) {
        Optional<Integer> dimension = table.dimension(column);
        if (dimension.isEmpty() || !(min instanceof Long from) || !(max instanceof Long to)) {
            return false;
        }
        int d = dimension.get();
        first[d] = Math.max(first[d], from);
        last[d] = Math.min(last[d], to);
        return true;
    }

    /** Returns the box; it is empty if the filters contradict each other. */
    Box region() {
        long[] shape = new long[first.length];
        long[] origin = first.clone();
        for (int d = 0; d < shape.length; d++) {
            shape[d] = last[d] < first[d] ? 0 : last[d] - first[d] + 1;
            origin[d] = Math.min(origin[d], table.shape()[d]);
        }
        return Box.of(origin, shape);
    }
}
